#include "scenarios/program/command.h"

const Command *command_table(void)
{
    static const Command commands[] = {
        {"run", "SCENARIO", "simulate, print the summary, write results", command_run},
        {"compare", "A B...", "what changed between results, and where the time went",
         command_compare},
        {"why", "SCENARIO", "what bounds a run and what that costs, layer by layer, by trying",
         command_why},
        {"timeline", "SCENARIO|RESULT", "single requests and counters as a trace for Perfetto",
         command_timeline},
        {"study", "VERB ...", "run many points of a scenario and say what they mean",
         command_study},
        {"validate", "[GPU...]", "published benchmarks against the presets: error of each curve",
         command_validate},
        {"report", "RESULT...|STUDY", "one HTML page of a run, a comparison or a study",
         command_report},
        {"check", "SCENARIO", "validate a scenario and its study without running them",
         command_check},
        {"show", "SCENARIO", "the resolved configuration and where each value came from",
         command_show},
        {"list", "[WHAT]", "presets, scenarios, units, parameters, statistics, results ...",
         command_list},
        {"explain", "NAME", "a unit, parameter, statistic, stage, pattern, preset or scenario",
         command_explain},
        {"trace", "generate|info", "write a trace, or describe one", command_trace},
        {"completion", "bash|zsh|fish", "a script for the shell that completes what you type",
         command_completion},
        {"reference", "", "all parameters, statistics and stages as Markdown", command_reference},
        {NULL, NULL, NULL, NULL},
    };
    return commands;
}
