/* Kinds over a numerical x: lines, steps, areas, points. */

const MANY_POINTS = 2000;
const FEW_POINTS = 12;
const CURVES = ['lines', 'steps', 'areas'];

function isNumeric(figure, column) {
  return figure.rows.every((row) => row[column] === null || typeof row[column] === 'number');
}

function drawable(value, logarithmic) {
  return logarithmic && !(value > 0) ? null : value;
}

function curveX(view) {
  const { figure, theme } = view;
  const axis = axisOf(figure, 'x', figure.columns[0]);
  if (!isNumeric(figure, 0)) {
    const names = figure.rows.map((row) => formatCell(row[0]));
    return { axis, option: categoryAxis(view, names, { name: withUnit(axis.name, axis.unit) }) };
  }
  const option = valueAxis(theme, axis, curveEnds(figure, axis));
  if (axis.logarithmic && figure.rows.length <= FEW_POINTS) labelPoints(figure, option);
  return { axis, option };
}

/* Powers of ten say little about 8, 16, 32. */
function labelPoints(figure, option) {
  const customValues = figure.rows.map(([x]) => x).filter((x) => x > 0);
  option.axisLabel = { ...option.axisLabel, customValues };
  option.axisTick = { ...option.axisTick, customValues };
}

/* From the first x to the last, or from zero if that is near. */
function curveEnds(figure, axis) {
  const values = figure.rows.map(([x]) => drawable(x, axis.logarithmic)).filter((x) => x !== null);
  const low = -highest(values.map((x) => -x)), high = highest(values);
  const marks = figure.marks.filter((mark) => mark.axis === 'x');
  const near = !axis.logarithmic && low > 0 && low < high / 10;
  const reach = highest(marks.map(({ at }) => at)) > high ? reachOf({}, marks, values) : high;
  return values.length ? { min: near ? 0 : low, max: reach } : {};
}

function commonUnit(figure, columns) {
  const units = new Set(columns.map((index) => figure.columns[index].unit ?? ''));
  return units.size === 1 ? [...units][0] : '';
}

function curveY(figure, columns) {
  const unit = commonUnit(figure, columns) || figure.unit;
  const name = columns.length === 1 ? figure.columns[columns[0]].name : '';
  return axisOf(figure, 'y', { name: name || unit, unit: name ? unit : '' });
}

function curveData(figure, column, x, y) {
  return figure.rows.map((row) => [
    typeof row[0] === 'number' ? drawable(row[0], x.logarithmic) : formatCell(row[0]),
    drawable(row[column], y.logarithmic),
  ]);
}

function curveTip(view, { x, y, stacked }) {
  const { figure } = view;
  return (params) => {
    if (!params.length) return null;
    const row = figure.rows[params[0].dataIndex];
    const entries = params.filter(({ value }) => value[1] !== null && (!stacked || value[1]))
      .map(({ color: colour, seriesName: name, value: [, value] }) => ({ colour, name, value }));
    const unit = y.unit || figure.unit;
    const lines = boundLines(entries, unit, entries.length > TIP_LINES);
    if (stacked && entries.length > 1) lines.push(totalLine(entries, unit));
    return tip(`${x.name} ${formatCell(row[0])}${x.unit ? NO_BREAK + x.unit : ''}`, lines);
  };
}

function curveValues(figure, columns, stacked) {
  return stacked
    ? figure.rows.map((row) => columns.reduce((sum, index) => sum + (row[index] ?? 0), 0))
    : figure.rows.flatMap((row) => columns.map((index) => row[index]));
}

function curveReach(figure, axis, columns, stacked) {
  const whole = { ...axis, unit: axis.unit || figure.unit };
  const values = curveValues(figure, columns, stacked), top = highest(values);
  const marks = figure.marks.filter((mark) => mark.axis === 'y' && !isFar(whole, mark.at, top));
  return reachOf(whole, marks, values);
}

/* Said in the caption, since the axis does not reach so far: "DRAM peak: 898 GB/s". */
function farMarks(figure) {
  if (!CURVES.includes(figure.kind)) return [];
  const columns = visibleColumns(figure);
  const axis = curveY(figure, columns), unit = axis.unit || figure.unit;
  const top = highest(curveValues(figure, columns, figure.kind === 'areas'));
  return figure.marks.filter((mark) => mark.axis === 'y' && isFar({ unit }, mark.at, top))
    .map(({ at, label }) => `${label}: ${formatValue(at, unit)}`);
}

const NAME_HEIGHT = 14, NAME_GAP = 5, NARROWEST = 360; /* pixels */

/* Names of marks stand left of their lines, but not over the axis; below those that are close. */
function placeNames(marks, { min, max, type }, width) {
  const scale = type === 'log' ? Math.log : Number;
  const pixels = (width - NUMBERS_ROOM) / (scale(max) - scale(min));
  const placed = [];
  for (const { at, name } of marks) {
    const line = (scale(at) - scale(min)) * pixels, atAxis = line < NAME_HEIGHT;
    const left = atAxis ? line : line - NAME_HEIGHT;
    const length = name.length * CHARACTER + 2 * NAME_GAP;
    const close = placed.filter((other) => Math.abs(other.left - left) < NAME_HEIGHT);
    const from = [NAME_GAP, ...close.map(({ end }) => end)].toSorted((a, b) => a - b)
      .find((begin) => close.every((other) => begin >= other.end || begin + length <= other.from));
    placed.push({ left, atAxis, from, end: from + length });
  }
  return placed;
}

/* The marks of the x axis with what is written at them: their names or, where these have no room on
 * the narrowest screen, numbers. */
function namedMarks(figure) {
  const marks = figure.marks.filter(({ axis }) => axis === 'x').toSorted((a, b) => a.at - b.at)
    .map((mark) => ({ mark, at: mark.at, name: mark.label ?? formatNumber(mark.at) }));
  const axis = axisOf(figure, 'x', figure.columns[0]);
  const ends = { ...curveEnds(figure, axis), type: axis.logarithmic ? 'log' : 'value' };
  const fit = placeNames(marks, ends, NARROWEST)
    .every(({ end }) => end <= CURVE_HEIGHT - NUMBERS_ROOM);
  return fit ? marks : marks.map((each, i) => ({ ...each, name: `${i + 1}`, label: each.name }));
}

/* Said in the caption: "1: doubled, write_share 0.5". */
function numberedMarks(figure) {
  if (!CURVES.includes(figure.kind)) return [];
  return namedMarks(figure).filter(({ label }) => label)
    .map(({ name, label }) => `${name}: ${label}`);
}

function markPlaces({ figure, width }, axis) {
  const marks = namedMarks(figure), places = placeNames(marks, axis, width);
  const labels = new Map(marks.map(({ mark, name }, i) => [mark, {
    formatter: name, distance: [places[i].from, NAME_GAP],
    position: places[i].atAxis ? 'insideEndBottom' : 'insideEndTop',
  }]));
  return (mark) => labels.get(mark);
}

function nameAndColour({ figure, colour }, index) {
  const { name } = figure.columns[index];
  return { name, color: colour(name) };
}

function drawCurves(view, extra) {
  const { figure, theme } = view;
  const columns = visibleColumns(figure);
  const stacked = Boolean(extra.stack);
  const { axis: x, option: xAxis } = curveX(view);
  const y = curveY(figure, columns);
  const symbols = figure.rows.length <= 40 && !stacked;
  const option = {
    ...baseOption(theme),
    xAxis,
    yAxis: valueAxis(theme, y, { max: curveReach(figure, y, columns, stacked) }),
    series: columns.map((index) => ({
      type: 'line', ...nameAndColour(view, index), data: curveData(figure, index, x, y),
      showSymbol: symbols, symbol: 'circle', symbolSize: 5,
      lineStyle: { width: 1.7 }, emphasis: { focus: 'series' },
      sampling: figure.rows.length > MANY_POINTS && !stacked ? 'lttb' : undefined,
      ...extra,
    })),
  };
  Object.assign(option.tooltip, {
    trigger: 'axis', axisPointer: { type: 'line', lineStyle: { color: theme.muted } },
    formatter: curveTip(view, { x, y, stacked }),
  });
  putMarks(option, markLines(theme, figure.marks, ({ axis }) => `${axis}Axis`,
    markPlaces(view, xAxis)));
  return option;
}

const drawLines = (view) => drawCurves(view, {});
const drawSteps = (view) => drawCurves(view, { step: 'end', showSymbol: false });
const drawAreas = (view) => drawCurves(view, {
  stack: 'all', areaStyle: { opacity: 0.9 }, lineStyle: { width: 0.5 },
  emphasis: { disabled: true },
});

function columnNamed(figure, name) {
  return figure.columns.findIndex((column) => column.name === name);
}

function pointGroups(figure) {
  const column = columnNamed(figure, 'group');
  const groups = new Map();
  for (const row of figure.rows) {
    const name = column < 0 ? figure.title : formatCell(row[column]);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(row);
  }
  return groups;
}

function pointTip(figure) {
  const label = columnNamed(figure, 'label');
  const hidden = new Set([label, columnNamed(figure, 'group')]);
  return ({ data, color, seriesName }) => {
    const [, , row] = data;
    const lines = figure.columns
      .map(({ name, unit }, index) => [null, name, typeof row[index] === 'number'
        ? formatValue(row[index], unit) : formatCell(row[index])])
      .filter((line, index) => !hidden.has(index) && line[2]);
    if (hidden.has(-1)) return tip(label < 0 ? '' : formatCell(row[label]), lines);
    return tip(formatCell(row[label]), [...lines, [color, seriesName, '']]);
  };
}

function drawPoints(view) {
  const { figure, theme } = view;
  const x = axisOf(figure, 'x', figure.columns[0]);
  const y = axisOf(figure, 'y', figure.columns[1]);
  const large = figure.rows.length > MANY_POINTS;
  const point = (row) => [
    drawable(row[0], x.logarithmic), drawable(row[1], y.logarithmic), row,
  ];
  const option = {
    ...baseOption(theme),
    xAxis: valueAxis(theme, x, { scale: true }),
    yAxis: valueAxis(theme, y, { scale: true }),
    series: [...pointGroups(figure)].map(([name, rows]) => ({
      type: 'scatter', name, color: view.colour(name), data: rows.map(point),
      symbolSize: large ? 4 : 8, z: name.startsWith('front') ? 3 : 2, large, largeThreshold: MANY_POINTS,
      itemStyle: { opacity: 0.8, borderColor: theme.panel, borderWidth: large ? 0 : 0.5 },
    })),
  };
  Object.assign(option.tooltip, { trigger: 'item', formatter: pointTip(figure) });
  putMarks(option, markLines(theme, figure.marks, ({ axis }) => `${axis}Axis`));
  return option;
}
