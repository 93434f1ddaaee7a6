/* The captions of reports of studies, in the order of the page. */
#include "scenarios/program/report/document/figure.h"

static const FigureTopic topics[] = {
    {"study_perfect", "What each component costs", FIGURE_BARS,
     "How much less time the run takes when one component is made perfect: a network without "
     "contention, DRAM whose rows are always open, an L1 without bank conflicts.",
     "% of the time",
     "The longest bar is the part of the machine that bounds the run most. The real component "
     "costs at most that share; the shares of two components may be the same time."},
    {"study_bounds", "Runs with perfect components", FIGURE_TABLE,
     "The run as it is (baseline) and with each component made perfect.", "",
     "A factor of 1.5 says that the run is 1.5 times as fast with that component perfect; no "
     "real improvement of it alone can gain more."},
    {"loaded_latency", "Latency against offered load", FIGURE_LINES,
     "The mean latency at each share of the peak bandwidth that is asked for.", "ns",
     "Flat at the left, where nobody waits; a knee where requests begin to wait "
     "for each other; a wall where no more is taken. Marks: the load at which the "
     "latency is twice the unloaded one and, of a curve alone, the bandwidth that is reached at "
     "most."},
    {"loaded_bandwidth", "Latency against achieved bandwidth", FIGURE_POINTS,
     "The same points by the bandwidth that was delivered.", "ns",
     "Points that stand above each other at the right deliver no more bandwidth for more "
     "load: the machine is saturated, and only the latency grows."},
    {"loaded_energy", "Energy a bit against offered load", FIGURE_LINES,
     "Energy for each bit that lanes asked for, with idle power.", "pJ/bit",
     "It falls while idle power is shared among more bits, and rises where more load only waits."},
    {"loaded_dram_energy", "DRAM's energy a bit against offered load", FIGURE_LINES,
     "DRAM's energy for each bit that it moved: rows, columns, pins and refresh.", "pJ/bit",
     "At little load refresh is shared among few bits; rows that are opened anew for each access "
     "raise it."},
    {"loaded_facts", "What the load curves say", FIGURE_TABLE,
     "The latency without load, the highest bandwidth, and the offered bandwidth at which the "
     "mean latency is twice the unloaded one.",
     "", "An empty cell says that the latency did not double at any load of the study."},
    {"study_tornado", "What moves a result", FIGURE_TORNADO,
     "The change of a result at the lowest and at the highest value of each dimension, against "
     "the base that the note names.",
     "%",
     "The longest bar at the top is the dimension that matters most. A bar on one side only "
     "says that the base is already at that end; 'noise' is no more than repeated runs "
     "differ by."},
    {"study_screening", "What moves a result, by Morris's screening", FIGURE_POINTS,
     "For each dimension the mean size (mu*) and the deviation (sigma) of the changes that a "
     "step of this dimension alone makes.",
     "%",
     "Far to the right matters much; near the left edge it can be left out. High above the x "
     "axis the effect depends on the other dimensions or is not linear."},
    {"study_knees", "Where more gains little", FIGURE_TABLE,
     "For each dimension of numbers the value from which on more of it hardly improves the "
     "result.",
     "",
     "The gain is that from one end of the values to the other. At the knee the curve bends "
     "most; '95 % of the gain' is the first value that brings so much of it. The remark says "
     "why there is no knee."},
    {"study_sweep_time", "Time against a dimension", FIGURE_LINES,
     "The simulated time of the measured kernels at each value of a dimension.", "ns",
     "Less is better. Marks: the scenario's own value, the knee, and the first value with "
     "95 % of the whole gain. Curves that cross say that the best value depends on the other "
     "dimension."},
    {"study_sweep_bandwidth", "Bandwidth against a dimension", FIGURE_LINES,
     "Bandwidth at each value of a dimension: what the program asked for, and what DRAM "
     "delivered.",
     "GB/s",
     "Where more is asked for than DRAM delivers, caches supply the rest; where DRAM delivers "
     "more, part of what it read was not needed."},
    {"study_sweep_latency", "Latency against a dimension", FIGURE_LINES,
     "Latency of loads at each value of a dimension: the mean, and what 95 % and 99 % of them "
     "stay below.",
     "core cycles",
     "A mean that stays while p99 rises says that a few loads wait for something that most do "
     "not meet."},
    {"study_sweep_hits", "Hit rates against a dimension", FIGURE_LINES,
     "The share of accesses that each cache serves itself, and of DRAM requests whose row is "
     "open, at each value of a dimension.",
     "%", "A rate that jumps marks the size at which what is used again fits."},
    {"study_sweep_energy", "Energy against a dimension", FIGURE_LINES,
     "Energy at each value of a dimension: of all, and of what events took.", "uJ",
     "What lies between both is power that follows time, idle and of active SMs: a faster run takes "
     "less of it. Where the events' curve rises, more is moved or looked up for the same work."},
    {"study_sweep_area", "Area against a dimension", FIGURE_LINES,
     "What SRAM of the machine's storage takes of the die at each value of a dimension.", "mm2",
     "Beside the curve of time it says what a gain is paid with. Roughly: whole caches take up to "
     "twice as much."},
    {"study_sweep_statistic", "A statistic against a dimension", FIGURE_LINES,
     "A statistic that the study names, at each value of a dimension.", "",
     "'warpmem explain' with its name says what it counts."},
    {"study_names", "A result for each name", FIGURE_BARS,
     "The result that points are ranked by, for each name that a dimension takes: variants, "
     "presets, policies.",
     "", "Compare the bars of one colour: they differ in this dimension only."},
    {"study_heat", "A result over two dimensions", FIGURE_HEAT,
     "The result for each pair of values of the two dimensions that matter most.", "",
     "Colours that change along one axis only say that the other dimension does not matter; a "
     "corner that stands out is an effect of both together. An empty cell has no point."},
    {"study_pareto", "What a better result costs", FIGURE_POINTS,
     "All combinations by a cost, such as the size of a table, and the result. On the front "
     "are those that no other beats in one without being worse in the other.",
     "",
     "Follow the front from the cheap end: where it becomes flat, more cost buys little. Of three "
     "results the third is the colour, by thirds of what the front has of it. "
     "What is not on the front is a bad bargain."},
    {"study_distribution", "How the result is spread", FIGURE_STEPS,
     "How many points have a result in each twentieth of its range.", "points",
     "One narrow peak says that most combinations are alike; a long tail has combinations that "
     "are much worse than the rest."},
    {"study_scatter", "The result against a dimension", FIGURE_POINTS,
     "Each combination of a random design by its value of one dimension and its result.", "",
     "A band that rises or falls is an effect of this dimension; a cloud without direction "
     "says that others decide."},
    {"study_points", "All points", FIGURE_TABLE,
     "A row for each point: its values, how it ended, what bound it, and its main results.", "",
     "Sort by a column, or filter for a value. Points without results failed or have not been "
     "run."},
    {"study_failures", "Points that failed", FIGURE_TABLE,
     "Points that were run and have no results, with the reason.", "",
     "rejected: the model does not take these values. failed: an error of the run. timeout and "
     "memory: over a limit that was set. killed: ended from outside; running it again may "
     "help."},
    {"study_design", "How the study was laid out", FIGURE_TABLE,
     "The study's scenario and design, and the commands that go on from here.", "",
     "'warpmem explain study.design' says what the designs are."},
    {"study_dimensions", "Dimensions", FIGURE_TABLE,
     "The parameters that vary, the scenario's own value of each, and the values in the study.", "",
     "'warpmem explain' with a parameter's name says what it is."},
    {"study_base", "What the points start from", FIGURE_TABLE,
     "Every parameter that is not at its default, and where it is set. Dimensions change it "
     "from point to point.",
     "", "Parameters that do not stand here have the default that `warpmem reference` lists."},
    {.name = NULL},
};

const FigureTopic *figure_study_topics(void)
{
    return topics;
}
