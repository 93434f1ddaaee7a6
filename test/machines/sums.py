"""What a result tells of single kernels adds up to what it tells of the region of interest: names, what has no name, kernels that are not
measured, and what lies between: every statistic, every stage, and what each resource refused."""

SUMS = ("arrivals", "stay_fs", "count", "latency", "sum_fs")  # of a level, a request class, a distribution; the rest are no sums


def parts_of(result):
    """A name with one launch is told among the kernels."""
    kept = {kernel["name"]: kernel for kernel in result["kernels"]}
    for name in result["kernel_names"]:
        yield name if "units" in name else kept[name["name"]]
    yield from result["kernel_rest"].values()


def numbers_of(units):
    """(name, number) of all that is a sum."""
    for unit, told in units.items():
        for statistic, value in told["total"].items():
            name = f"{unit}.{statistic}"
            if isinstance(value, int):
                yield name, value
            elif isinstance(value, dict):
                yield from ((f"{name}.{field}", value[field]) for field in SUMS if field in value)
            else:
                yield from ((f"{name}[{i}]", one) for i, one in enumerate(value) if isinstance(one, int))


def stages_of(stages):
    for name, times in stages.items():
        yield from ((f"{name}.{stage}", time) for stage, time in times.items())


def refusals_of(resources):
    for unit, told in resources.items():
        yield from ((f"{unit}.{name}.refused", resource["refused"]) for name, resource in told.items())


def complaints_of_numbers(whole, parts):
    sums = {}
    for part in parts:
        for name, number in part:
            sums[name] = sums.get(name, 0) + number
    for name, number in whole:
        if sums.get(name, 0) != number:
            yield f"{name} is {number}, of all kernels and what lies between {sums.get(name, 0)}"


def check(result):
    """Nothing where one kernel is all that is measured."""
    if "kernels" not in result:
        return
    parts = list(parts_of(result))
    for member, numbers in (("units", numbers_of), ("stages", stages_of), ("resources", refusals_of)):
        yield from complaints_of_numbers(numbers(result[member]), [numbers(part[member]) for part in parts])
