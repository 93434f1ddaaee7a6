/* Textures: statements that declare and sample them. */
#include "workloads/language/syntax.h"

/* One of the names, by its number. */
static bool parse_choice(Parser *parser, const char *const *names, const char *what,
                         uint32_t *choice)
{
    for (uint32_t i = 0; names[i]; i++) {
        if (!token_is(&parser->token, names[i])) continue;
        *choice = i;
        return parser_advance(parser);
    }
    g_autofree char *all = g_strjoinv(", ", (char **)names);
    g_autofree char *expected = g_strdup_printf("%s (%s)", what, all);
    return parser_reject(parser, expected);
}

static bool parse_format(Parser *parser, const TextureFormat **format)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const TextureFormat *known = texture_formats; known->name; known++)
        g_ptr_array_add(names, (gpointer)known->name);
    g_ptr_array_add(names, NULL);
    uint32_t choice;
    if (!parse_choice(parser, (const char *const *)names->pdata, "a format", &choice)) return false;
    *format = &texture_formats[choice];
    return true;
}

/* One for each axis; those that follow the last are as that. */
static bool parse_wrap(Parser *parser, TextureSyntax *texture)
{
    uint32_t choice;
    if (!parse_choice(parser, texture_wrap_names, "what lies outside", &choice)) return false;
    for (uint32_t axis = 0; axis < 3; axis++) {
        texture->wrap[axis] = (TextureWrap)choice;
        for (uint32_t i = 0; texture_wrap_names[i]; i++) {
            if (axis == 2 || !token_is(&parser->token, texture_wrap_names[i])) continue;
            choice = i;
            if (!parser_advance(parser)) return false;
            break;
        }
    }
    return true;
}

static bool parse_number(Parser *parser, Expression **number)
{
    *number = parser_expression(parser);
    return *number != NULL;
}

/* "64 by 8" */
static bool parse_tile(Parser *parser, TextureSyntax *texture)
{
    return parse_number(parser, &texture->tile[0]) && parser_expect(parser, "by")
           && parse_number(parser, &texture->tile[1]);
}

static bool parse_mips(Parser *parser, TextureSyntax *texture)
{
    texture->all_mips = parser_takes(parser, "all");
    return texture->all_mips || parse_number(parser, &texture->mips);
}

/* The attribute that begins here; *known: there is one. */
static bool parse_attribute(Parser *parser, Statement *s, bool *known)
{
    TextureSyntax *texture = s->texture;
    uint32_t choice = 0;
    *known = true;
    if (parser_takes(parser, "of")) return parse_format(parser, &texture->format);
    if (parser_takes(parser, "at")) return parse_number(parser, &s->base);
    if (parser_takes(parser, "tile")) return parse_tile(parser, texture);
    if (parser_takes(parser, "mips")) return parse_mips(parser, texture);
    if (parser_takes(parser, "wrap")) return parse_wrap(parser, texture);
    if (parser_takes(parser, "anisotropy")) return parse_number(parser, &texture->anisotropy);
    if (parser_takes(parser, "bias")) return parse_number(parser, &texture->bias);
    if (parser_takes(parser, "layers")) return texture->layers = true;
    if (parser_takes(parser, "layout")) {
        const bool good = parse_choice(parser, texture_layout_names, "a layout", &choice);
        texture->layout = (TextureLayout)choice;
        return good;
    }
    *known = parser_takes(parser, "filter");
    if (!*known) return true;
    const bool good = parse_choice(parser, texture_filter_names, "a filter", &choice);
    texture->filter = (TextureFilter)choice;
    return good;
}

bool parser_texture(Parser *parser, Statement *s)
{
    s->kind = STATEMENT_TEXTURE;
    s->texture = g_new0(TextureSyntax, 1);
    g_ptr_array_add(parser->syntax->owned, s->texture);
    s->texture->layout = TEXTURE_TILES;
    s->texture->wrap[0] = s->texture->wrap[1] = s->texture->wrap[2] = WRAP_CLAMP;
    s->name = parser_take_name(parser, "the texture's name");
    if (!s->name) return false;
    if (!token_is(&parser->token, "["))
        return parser_reject(parser, "'[' and sizes (a texture instruction alone is 'tex')");
    if (!parser_advance(parser)) return false;
    s->indices = parser_list(parser, "]");
    for (bool known = s->indices != NULL; known;) {
        if (!parse_attribute(parser, s, &known)) return false;
        parser_takes(parser, ",");
    }
    return s->indices != NULL;
}

bool parser_starts_sample(const Parser *parser, Statement *s)
{
    s->fetch = token_is(&parser->token, "texel");
    return s->fetch || token_is(&parser->token, "sample");
}

bool parser_sample(Parser *parser, Statement *s, const char *word)
{
    s->kind = STATEMENT_SAMPLE;
    if (!s->target)
        return source_reject(parser->source, s->at, parser->error,
                             "a result is missing: 'x = %s ...'", word);
    s->name = parser_take_name(parser, "a texture");
    if (!s->name || !parser_expect(parser, "[")) return false;
    s->indices = parser_list(parser, "]");
    return s->indices && (!parser_takes(parser, "level") || parse_number(parser, &s->value));
}
