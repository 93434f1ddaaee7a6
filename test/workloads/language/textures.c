/* The kernel language: textures, and where a program samples them. */
#include "code.h"
#include "rigs/harness.h"
#include "rigs/samples.h"

static GArray *samples_of_code(const char *code, uint64_t cta, uint32_t warp)
{
    g_autoptr(LaunchList) list = launches_of_code(code, NULL);
    return sample_warp(kernel_of(list, 0), cta, warp);
}

START_TEST(a_texture_is_declared_with_its_attributes)
{
    g_autoptr(LaunchList) list = launches_of_code(
        "texture T[64, 32, 8] of rg16f layout blocked tile 32 by 4 mips all wrap repeat mirror, "
        "filter trilinear anisotropy 4 bias -128; x = sample T[0, 0, 0]",
        NULL);
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) warp = sample_warp(kernel, 0, 0);
    const TextureBinding *binding = sampled_at(warp, 0)->in.binding;
    const TextureShape *shape = &binding->texture.shape;
    ck_assert_int_eq(shape->kind, TEXTURE_3D);
    ck_assert_str_eq(shape->format->name, "rg16f");
    ck_assert_int_eq(shape->layout, TEXTURE_TILES);
    ck_assert_uint_eq(shape->width, 64);
    ck_assert_uint_eq(shape->height, 32);
    ck_assert_uint_eq(shape->depth, 8);
    ck_assert_uint_eq(shape->tile_bytes, 32);
    ck_assert_uint_eq(shape->tile_rows, 4);
    ck_assert_uint_eq(binding->texture.levels, 7);
    ck_assert_int_eq(binding->sampler.wrap[0], WRAP_REPEAT);
    ck_assert_int_eq(binding->sampler.wrap[1], WRAP_MIRROR);
    ck_assert_int_eq(binding->sampler.wrap[2], WRAP_MIRROR);
    ck_assert_int_eq(binding->sampler.filter, FILTER_TRILINEAR);
    ck_assert_uint_eq(binding->sampler.anisotropy, 4);
    ck_assert_double_eq(binding->sampler.lod_bias, -0.5);
    ck_assert_uint_eq(kernel->footprint, binding->texture.bytes);
    ck_assert_uint_eq(binding->texture.address, FIRST);
}
END_TEST

static const struct {
    const char *sizes;
    TextureKind kind;
} shapes[] = {
    {"T[64]; x = texel T[0]", TEXTURE_1D},
    {"T[64, 32]; x = texel T[0, 0]", TEXTURE_2D},
    {"T[64, 32, 2]; x = texel T[0, 0, 0]", TEXTURE_3D},
    {"T[64, 32, 2] layers; x = texel T[0, 0, 0]", TEXTURE_2D_ARRAY},
};

START_TEST(the_dimensions_say_the_kind)
{
    g_autofree char *code = g_strdup_printf("texture %s", shapes[_i].sizes);
    g_autoptr(LaunchList) list = launches_of_code(code, NULL);
    g_autoptr(GArray) warp = sample_warp(kernel_of(list, 0), 0, 0);
    const Instruction *in = &sampled_at(warp, 0)->in;
    ck_assert_int_eq(in->binding->texture.shape.kind, shapes[_i].kind);
    ck_assert_uint_eq(in->operation, OPERATION_LOAD);
    ck_assert_uint_eq(in->unit, EXECUTE_TEXTURE);
    ck_assert_uint_eq(in->space, SPACE_TEXTURE);
    ck_assert_uint_eq(in->width, 4);
    ck_assert_uint_eq(in->destination_count, 1);
}
END_TEST

START_TEST(arrays_and_textures_lie_behind_each_other)
{
    g_autoptr(LaunchList) list = launches_of_code(
        "global A[10]; texture T[64, 8]; texture U[64, 8] at 1 MiB; global B[10]; x = load A[0]; "
        "x = load B[0]; x = texel T[0, 0]; x = texel U[0, 0]",
        NULL);
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) warp = sample_warp(kernel, 0, 0);
    ck_assert_uint_eq(sampled_at(warp, 0)->in.base, FIRST);
    ck_assert_uint_eq(sampled_at(warp, 2)->in.binding->texture.address, FIRST + 512);
    ck_assert_uint_eq(sampled_at(warp, 3)->in.binding->texture.address, 1 << 20);
    ck_assert_uint_eq(sampled_at(warp, 1)->in.base, FIRST + 512 + 2048);
    ck_assert_uint_eq(kernel->footprint, 40 + 2048 + 40);
    ck_assert_uint_eq(kernel->placed, 2048);
}
END_TEST

/* Warp 1 of CTA 2: threads 32 to 63. */
START_TEST(a_texel_is_fetched_by_its_numbers)
{
    g_autoptr(GArray) warp = samples_of_code(
        "texture T[256, 256] mips all; x = texel T[thread * 2, cta - 5] level warp + lane / 16", 2,
        1);
    const Sampled *s = sampled_at(warp, 0);
    ck_assert_int_eq(s->in.sample_mode, SAMPLE_FETCH);
    assert_point(s, 0, 64, -3);
    assert_point(s, 31, 126, -3);
    ck_assert_float_eq(s->at.level[15], 1);
    ck_assert_float_eq(s->at.level[16], 2);
}
END_TEST

START_TEST(a_sample_lies_in_parts_of_a_texel)
{
    g_autoptr(GArray) warp = samples_of_code(
        "texture T[256, 256] mips all; texture L[64, 64, 4] layers; x = sample T[lane * 64, 128]; "
        "x = sample T[lane * 64 + 1, 128] level 384; x = sample L[0, 0, 3]",
        0, 0);
    ck_assert_int_eq(sampled_at(warp, 0)->in.sample_mode, SAMPLE_IMPLICIT);
    assert_point(sampled_at(warp, 0), 3, 0.75, 0.5);
    ck_assert_int_eq(sampled_at(warp, 1)->in.sample_mode, SAMPLE_LEVEL);
    assert_point(sampled_at(warp, 1), 2, 0.5 + 1.0 / 256, 0.5);
    ck_assert_float_eq(sampled_at(warp, 1)->at.level[31], 1.5);
    ck_assert_float_eq(sampled_at(warp, 2)->at.point[0].z, 3); /* layers have no parts */
}
END_TEST

START_TEST(coordinates_follow_loops_and_data)
{
    g_autoptr(GArray) warp =
        samples_of_code("texture T[256]; global A[64] content index * 3; i0 = load A[lane]; "
                        "for i in 0..4 { x = texel T[i0 + i * 10] }",
                        0, 0);
    for (guint i = 0; i < 4; i++) {
        assert_point(sampled_at(warp, 1 + i), 5, 15 + 10 * i, 0);
        ck_assert_uint_eq(sampled_at(warp, 1 + i)->in.source_count, 1);
        ck_assert_uint_eq(sampled_at(warp, 1 + i)->in.sources[0],
                          sampled_at(warp, 0)->in.destination);
    }
}
END_TEST

START_TEST(unrolled_samples_stand_before_their_uses)
{
    g_autoptr(GArray) warp = samples_of_code(
        "texture T[256] of rgba16f; s = fp32; for i in 0..4 unroll 4 { x = texel T[i]; s = fma s, "
        "x }",
        0, 0);
    for (guint i = 0; i < 4; i++) {
        ck_assert_ptr_nonnull(sampled_at(warp, 1 + i)->in.binding);
        ck_assert_uint_eq(sampled_at(warp, 1 + i)->in.destination_count, 2);
        ck_assert_uint_eq(sampled_at(warp, 5 + i)->in.operation, OPERATION_ALU);
        ck_assert_uint_eq(sampled_at(warp, 5 + i)->in.sources[1],
                          sampled_at(warp, 1 + i)->in.destination);
    }
}
END_TEST

START_TEST(under_a_condition_some_lanes_sample_and_all_have_coordinates)
{
    g_autoptr(GArray) warp = samples_of_code(
        "texture T[256]; if (lane * lane + cta) % 4 == 1 { x = texel T[lane] }", 0, 0);
    ck_assert_uint_eq(sampled_at(warp, 0)->in.mask, 0xaaaaaaaa); /* squares of odd numbers */
    assert_point(sampled_at(warp, 0), 6, 6, 0);
}
END_TEST

START_TEST(warps_of_64_lanes_sample)
{
    g_autofree char *text =
        program_of("texture T[256]; x = texel T[lane + random(3)]; y = texel T[63 - lane]", NULL);
    g_autoptr(LaunchList) list = launches_with(text, 64);
    g_autoptr(GArray) warp = sample_warp(kernel_of(list, 0), 0, 0);
    const double x = sampled_at(warp, 0)->at.point[63].x;
    ck_assert(x >= 63 && x < 66);
    assert_point(sampled_at(warp, 1), 63, 0, 0);
    ck_assert_uint_eq(sampled_at(warp, 1)->in.mask, UINT64_MAX);
}
END_TEST

/* A program, and its error behind "test.ini:4: workload.code: ". */
static const struct {
    const char *code, *message;
} mistakes[] = {
    {"texture T[64] of rgb8", "texture T[64] of rgb8: expected a format (r8, rg8, rgba8, "},
    {"texture T[64] layout tiled",
     "texture T[64] layout tiled: expected a layout (linear, blocked, morton, gob), not 'tiled'"},
    {"texture T[64] filter linear",
     "texture T[64] filter linear: expected a filter (point, bilinear, trilinear), not 'linear'"},
    {"texture T[64] wrap edge", "texture T[64] wrap edge: expected what lies outside (repeat, "},
    {"texture T[64] tile 64", "texture T[64] tile 64: expected 'by', not the end of the program"},
    {"texture T[64] mip 4", "texture T[64] mip 4: expected the end of the statement, not 'mip'"},
    {"texture T[64] anisotropy 17", "texture T[64] anisotropy 17: is 17; allowed: from 1 to 16"},
    {"texture T[64] mips 9", "texture T[64] mips 9: levels: must be at most 7"},
    {"texture T[64, 40000]", "texture T[64, 40000]: is 40000; allowed: from 1 to 32768"},
    {"texture T[2, 2, 2, 2]", "texture T[2, 2, 2, 2]: a texture has 1 to 3 dimensions, not 4"},
    {"texture T[64, 2] layers",
     "texture T[64, 2] layers: layers are the third dimension; it has 2"},
    {"texture T[64] at 100", "texture T[64] at 100: address: must be a multiple of 512"},
    {"texture lane[64]", "texture lane[64]: 'lane' has a meaning already"},
    {"if cta == 1 { texture T[64] }",
     "if cta == 1 { texture T[64] }: textures stand outside of loops and conditions"},
    {"texture T[64]; x = texel T[1, 2]",
     "x = texel T[1, 2]: T has 1 dimension, but 2 coordinates are given"},
    {"texture T[64, 2]; x = sample T[1]",
     "x = sample T[1]: T has 2 dimensions, but 1 coordinate is given"},
    {"texture T[64]; texel T[1]", "texel T[1]: a result is missing: 'x = texel ...'"},
    {"texture T[64]; x = sample U[1]",
     "x = sample U[1]: nothing here is called 'U'; there are lane, warp, thread, cta, warps, "
     "threads, ctas, T"},
    {"global A[64]; x = texel A[1]", "x = texel A[1]: 'A' is not a texture"},
    {"texture T[64]; x = load T[1]",
     "x = load T[1]: 'T' is not an array; a texture is read by 'x = sample T[...]' and"},
    {"texture T[64]; T = fp32", "T = fp32: 'T' is a texture and cannot be assigned"},
    {"texture T[64]; x = fp32 T", "x = fp32 T: 'T' is a texture; it is sampled first"},
    {"texture T[64]; x = T + 1", "x = T + 1: 'T' is a texture, and what it holds is not known"},
    {"texture T[64]; y = texel T[1]; x = texel T[y]",
     "x = texel T[y]: the value of 'y' is not known: it was sampled from a texture"},
    {"texture T[64] of rgba32f; x = fp32; x = texel T[0]",
     "x = texel T[0]: x has 4 B, but 16 B are assigned"},
    {"x = smple T[1]", "x = smple T[1]: 'smple' is no instruction; did you mean 'sample'?"},
    {"texture times 4",
     "texture times 4: expected '[' and sizes (a texture instruction alone is 'tex'), not '4'"},
    {"x = texture times 4", "x = texture times 4: 'texture' is no instruction; there are load, "},
    {"textur T[1]", "textur T[1]: 'textur' begins no statement; did you mean 'texture'?"},
};

START_TEST(a_mistake_with_a_texture_is_named)
{
    g_autofree char *message = error_of_code(mistakes[_i].code, NULL);
    g_autofree char *expected =
        g_strconcat("test.ini:4: workload.code: ", mistakes[_i].message, NULL);
    ck_assert_msg(g_str_has_prefix(message, expected), "%s", message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("program_textures");
    tcase_add_test(cases, a_texture_is_declared_with_its_attributes);
    tcase_add_loop_test(cases, the_dimensions_say_the_kind, 0, G_N_ELEMENTS(shapes));
    tcase_add_test(cases, arrays_and_textures_lie_behind_each_other);
    tcase_add_test(cases, a_texel_is_fetched_by_its_numbers);
    tcase_add_test(cases, a_sample_lies_in_parts_of_a_texel);
    tcase_add_test(cases, coordinates_follow_loops_and_data);
    tcase_add_test(cases, unrolled_samples_stand_before_their_uses);
    tcase_add_test(cases, under_a_condition_some_lanes_sample_and_all_have_coordinates);
    tcase_add_test(cases, warps_of_64_lanes_sample);
    tcase_add_loop_test(cases, a_mistake_with_a_texture_is_named, 0, G_N_ELEMENTS(mistakes));
    Suite *suite = suite_create("program_textures");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
