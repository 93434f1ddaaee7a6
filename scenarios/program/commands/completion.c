#include "scenarios/program/completion/completion.h"

/* "bash|zsh" with that between; newly allocated. */
static char *join_shells(const char *between)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const Shell *const *shell = completion_shells(); *shell; shell++)
        g_ptr_array_add(names, (gpointer)(*shell)->name);
    g_ptr_array_add(names, NULL);
    return g_strjoinv(between, (char **)names->pdata);
}

Status command_completion(int argc, char **argv)
{
    g_autofree char *names = join_shells("|"), *all = join_shells(", ");
    g_autofree char *usage = g_strconcat("completion ", names, NULL);
    const CommandLine line = {
        .usage = usage,
        .summary =
            "Prints a script with which the shell completes commands, options, names of scenarios and\n"
            "presets, parameters and their values.",
        .description = "bash   eval \"$(warpmem completion bash)\" in ~/.bashrc\n"
                       "zsh    warpmem completion zsh > DIR/_warpmem, DIR being one of $fpath\n"
                       "fish   warpmem completion fish > ~/.config/fish/completions/warpmem.fish\n"
                       "An installed program has brought them.",
        .least = 1,
        .most = 1,
    };
    Status status;
    if (!command_parse(&line, &argc, &argv, &status)) return status;
    const Shell *shell = completion_shell(argv[1]);
    if (!shell) return command_reject("completion %s: no such shell; there are %s", argv[1], all);
    completion_print(shell, stdout);
    return STATUS_DONE;
}
