#include "scenarios/program/say/output_option.h"

/* True: `code` is no error. */
static bool judge(const char *path, int code, GError **error)
{
    if (code)
        g_set_error(error, OUTPUT_OPTION_ERROR, 0, "-o %s: cannot be written: %s", path,
                    g_strerror(code));
    return !code;
}

bool output_option_check(const char *path, GError **error)
{
    if (*path) return judge(path, output_file_check(path), error);
    g_set_error(error, OUTPUT_OPTION_ERROR, 0, "-o '': an empty name; it names the file");
    return false;
}

bool output_option_write(const char *path, const GString *text, GError **error)
{
    return judge(path, output_file_write(path, text->str, text->len), error);
}

OutputFile *output_option_open(const char *path, GError **error)
{
    int code = 0;
    OutputFile *file = output_file_open(path, &code);
    judge(path, code, error);
    return file;
}

bool output_option_publish(OutputFile *file, const char *path, GError **error)
{
    const int code = output_file_finish(file);
    return judge(path, code ? code : output_file_publish(file), error);
}
