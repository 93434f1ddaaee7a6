#!/usr/bin/env python3
"""The occupancy curve of streaming on a V100 beside the measured one: `occupancy.py PROGRAM [SVG]`.

Runs `validate v100 --curve stream --all`, every size of a block, and prints a Markdown table; with a file name it draws the curves too.
"""
import json
import subprocess
import sys

OPERATIONS = ("init", "read", "scale", "triad")
COLOURS = ("#7a5195", "#2f6db5", "#1d8a60", "#d1661f")
WIDTH, HEIGHT, LEFT, TOP, THREADS, PEAK = 640, 360, 52, 16, 2048, 1000


def curves(program):
    words = [program, "validate", "v100", "--curve", "stream", "--all", "--json"]
    answer = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    return [curve["points"] for curve in answer["curves"]]


def place(threads, gbps):
    return f"{LEFT + (WIDTH - LEFT - 8) * threads / THREADS:.1f},{TOP + (HEIGHT - TOP - 34) * (1 - gbps / PEAK):.1f}"


def axes():
    for gbps in range(0, PEAK + 1, 200):
        x, y = place(0, gbps).split(",")
        yield f'<path d="M{x} {y}H{WIDTH - 8}" stroke="#8884"/><text x="{LEFT - 6}" y="{float(y) + 4}" text-anchor="end">{gbps}</text>'
    for threads in range(0, THREADS + 1, 256):
        x, y = place(threads, 0).split(",")
        yield f'<text x="{x}" y="{float(y) + 16}" text-anchor="middle">{threads}</text>'
    yield f'<text x="{WIDTH / 2}" y="{HEIGHT - 4}" text-anchor="middle">threads an SM; lines: model, dots: measured; GB/s</text>'


def draw(rows, path):
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11" '
             'fill="#666">', *axes()]
    for index, operation in enumerate(OPERATIONS):
        colour = COLOURS[index]
        line = " ".join(place(row["threads"], row[operation][1]) for row in rows)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        for row in rows:
            x, y = place(row["threads"], row[operation][0]).split(",")
            parts.append(f'<circle cx="{x}" cy="{y}" r="2.4" fill="{colour}"/>')
        parts.append(f'<text x="{WIDTH - 60}" y="{HEIGHT - 110 + 16 * index}" fill="{colour}">{operation}</text>')
    with open(path, "w") as svg:
        svg.write("\n".join([*parts, "</svg>", ""]))


def main(program, path=None):
    rows = []
    print("| threads an SM | " + " | ".join(f"{name} measured | model | error" for name in OPERATIONS) + " |")
    print("|---:|" + "---:|" * (3 * len(OPERATIONS)))
    for points in zip(*curves(program)):
        threads = 2 * int(points[0]["at"])
        row = {"threads": threads}
        for operation, point in zip(OPERATIONS, points):
            row[operation] = (point["published"], point["model"])
        rows.append(row)
        cells = (f"{real:.0f} | {model:.0f} | {100 * (model / real - 1):+.0f} %" for real, model in (row[name] for name in OPERATIONS))
        print(f"| {threads} | " + " | ".join(cells) + " |", flush=True)
    if path:
        draw(rows, path)


main(*sys.argv[1:])
