/* Kinds over categories, which are the rows of the screen: bars, parts, waterfall, tornado. */

const BAR_ROOM = 1000; /* pixels: more bars than fit are scrolled */

function rowNames(figure) {
  return figure.rows.map((row) => formatCell(row[0]));
}

/* The axis of values: y, or whichever has been named. */
function barValues(figure, columns) {
  const fallback = curveY(figure, columns);
  const { x, y } = figure.axes;
  if (y && (y.unit || !x?.unit)) return y;
  return x?.unit || (x && !y) ? x : fallback;
}

function barHeight(figure, columns, kind) {
  const rows = figure.rows.length;
  if (kind === 'bars' && columns.length > 1) return rows * (columns.length * 11 + 8);
  return rows * Math.max(14, Math.min(23, 700 / rows));
}

/* Bars beyond the room are reached by a slider. */
function barZoom(view, height) {
  if (height <= BAR_ROOM) return {};
  return {
    dataZoom: [{
      type: 'slider', yAxisIndex: 0, right: 0, width: 14, startValue: 0, brushSelect: false,
      endValue: Math.floor(view.figure.rows.length * BAR_ROOM / height) - 1, showDetail: false,
    }],
  };
}

function barTip(figure, unit, stacked) {
  return (params) => {
    const row = figure.rows[params[0].dataIndex];
    const entries = params.filter(({ value }) => typeof value === 'number' && (!stacked || value))
      .map(({ color, seriesName, value }) => ({ colour: color, name: seriesName, value }));
    const lines = stacked ? partLines(entries, unit) : boundLines(entries, unit, false);
    return tip(formatCell(row[0]), lines);
  };
}

function partLines(entries, unit) {
  const sum = entries.reduce((total, { value }) => total + value, 0);
  const share = (value) => formatValue(Math.round(value / sum * 1000) / 10, '%');
  const lines = entries.map(({ colour, name, value }) => [
    colour, name, `${formatValue(value, unit)}  ${share(value)}`,
  ]);
  return [...lines, totalLine(entries, unit)];
}

/* Marks are at values, whichever axis they name. */
function barReach(figure, axis, columns, stacked) {
  const marks = figure.marks.map(({ at }) => ({ axis: 'y', at }));
  const numbers = columns.every((index) => isNumeric(figure, index));
  return numbers ? curveReach({ ...figure, marks }, axis, columns, stacked) : undefined;
}

const TWO_LINES = 22, LABEL_ROOM = 40; /* pixels */

/* Names that are too long for a line have two where bars are far enough apart. */
function barNames({ figure, width }, columns) {
  const apart = barHeight(figure, columns, figure.kind) / figure.rows.length;
  const lines = (name) => twoLines(name, nameRoom(width));
  if (apart < TWO_LINES || rowNames(figure).every((name) => lines(name) === name)) return {};
  return { fontSize: TWO_LINES / 2, lineHeight: TWO_LINES / 2, formatter: lines };
}

function barFrame(view, columns, more) {
  const { figure, theme } = view;
  const values = barValues(figure, columns);
  const option = {
    ...baseOption(theme),
    ...barZoom(view, barHeight(figure, columns, figure.kind)),
    xAxis: valueAxis(theme, values, { max: barReach(figure, values, columns, more.stacked) }),
    yAxis: categoryAxis(view, rowNames(figure), {
      inverse: true, axisTick: { show: false },
      axisLabel: { interval: 0, hideOverlap: false, ...barNames(view, columns) },
    }),
  };
  option.grid.right = option.dataZoom ? 30 : figure.marks.length ? LABEL_ROOM / 2 : 18;
  /* names of marks stand above */
  if (figure.marks.length) option.grid.top = 20;
  Object.assign(option.tooltip, {
    trigger: 'axis', axisPointer: { type: 'shadow' },
    formatter: barTip(figure, values.unit || figure.unit, more.stacked),
  });
  return { option, values };
}

/* Lines across bars go down, as their rows do. */
const aboveBars = () => ({ position: 'start' });

function drawBarSeries(view, stacked) {
  const { figure, theme } = view;
  const columns = visibleColumns(figure);
  const { option, values } = barFrame(view, columns, { stacked });
  const labelled = columns.length === 1 && !stacked;
  option.series = columns.map((index) => ({
    type: 'bar', ...nameAndColour(view, index),
    data: figure.rows.map((row) => drawable(row[index], values.logarithmic)),
    stack: stacked ? 'all' : undefined, barMaxWidth: stacked ? 26 : 18, barGap: '10%',
    barCategoryGap: '24%',
    itemStyle: stacked ? { borderColor: theme.panel, borderWidth: 0.6 } : {},
    label: labelled ? barLabel(theme, option.xAxis.max) : { show: false },
    emphasis: { focus: 'series' },
  }));
  /* Numbers stand at the right end, which is zero, of bars that all go to the left. */
  const down = labelled && figure.rows.every((row) => !(row[columns[0]] > 0));
  if (labelled && !option.dataZoom) option.grid.right = down ? 50 : LABEL_ROOM;
  putMarks(option, markLines(theme, figure.marks, () => 'xAxis', aboveBars));
  return option;
}

/* Of shares no more digits than a thousandth of the axis; the table has all. */
function barText(value, reach) {
  const step = reach ? 10 ** Math.floor(Math.log10(reach / 500)) : 0;
  if (!step || !value || Number.isInteger(value)) return formatNumber(value);
  if (Math.abs(value) < step) return `< ${formatNumber(step)}`;
  return formatNumber(Number((Math.round(value / step) * step).toPrecision(12)));
}

function barLabel(theme, reach) {
  return {
    show: true, position: 'right', fontSize: 11, color: theme.muted,
    formatter: ({ value }) => barText(value, reach),
  };
}

const drawBars = (view) => drawBarSeries(view, false);
const drawStackedBars = (view) => drawBarSeries(view, true);

/* Opposite ends share a bar; where both are on one side they would cover each other. */
function drawTornado(view) {
  const { figure, theme } = view;
  const { option } = barFrame(view, [1, 2], {});
  const covered = figure.rows.some(([, low, high]) => low * high > 0);
  option.series = [1, 2].map((index) => ({
    type: 'bar', ...nameAndColour(view, index),
    data: figure.rows.map((row) => row[index]), barGap: covered ? '0%' : '-100%', barMaxWidth: 18,
    barCategoryGap: '24%',
  }));
  option.yAxis.axisLine = { onZero: false, lineStyle: { color: theme.muted } };
  option.tooltip.formatter = (params) => {
    const row = figure.rows[params[0].dataIndex];
    return tip(formatCell(row[0]), figure.columns.slice(1).map(({ name, unit }, index) => [
      index < 2 ? view.colour(name) : null, name, typeof row[index + 1] === 'number'
        ? formatValue(row[index + 1], unit) : formatCell(row[index + 1]),
    ]));
  };
  putMarks(option, markLines(theme, figure.marks, () => 'xAxis', aboveBars));
  return option;
}

/* [from, to, role of the colour] of each step. */
function waterfallSteps(figure) {
  let level = 0;
  return figure.rows.map(([, change, role]) => {
    if (role === 'total') {
      level = change;
      return [0, change, 'total'];
    }
    const from = level;
    level += change;
    return [from, level, change < 0 ? 'decrease' : 'increase'];
  });
}

/* Small changes between large totals: the axis begins near them, and says so. */
function waterfallStart(steps) {
  const levels = steps.flatMap(([from, to, role]) => (role === 'total' ? [to] : [from, to]));
  const low = Math.min(...levels), high = Math.max(...levels);
  return low > 0 && high - low < 0.4 * high ? Math.max(0, low - (high - low) * 0.6) : 0;
}

/* A step's bar, its change beside it, and a line down to where the next one begins. */
function waterfallItem(view, steps, start) {
  const { figure, theme } = view;
  return ({ dataIndex: index }, api) => {
    const [from, to, role] = steps[index];
    const change = figure.rows[index][1], [, room] = api.size([0, 1]);
    const place = (value) => api.coord([Math.max(start, value), index]);
    const [left, middle] = place(Math.min(from, to));
    const [right] = place(Math.max(from, to)), [end] = place(to);
    const half = Math.min(18, room * 0.7) / 2;
    const text = (role === 'increase' ? '+' : '') + formatTick(Number(change.toPrecision(4)));
    return {
      type: 'group',
      children: [{
        type: 'rect', style: { fill: view.colour(role) },
        shape: { x: left, y: middle - half, width: Math.max(1, right - left), height: 2 * half },
      }, {
        type: 'line', invisible: index === steps.length - 1, silent: true,
        style: { stroke: theme.muted, lineWidth: 1 },
        shape: { x1: end, x2: end, y1: middle + half, y2: middle + room - half },
      }, {
        type: 'text', x: right + 5, y: middle, silent: true,
        style: {
          text, fill: theme.ink, verticalAlign: 'middle', fontSize: 11, fontFamily: theme.font,
        },
      }],
    };
  };
}

function drawWaterfall(view) {
  const { figure } = view;
  const steps = waterfallSteps(figure);
  const start = waterfallStart(steps);
  const { option, values } = barFrame(view, [1], {});
  if (start) option.xAxis.name += `, from ${formatTick(Number(start.toPrecision(2)))}`;
  option.xAxis.min = start ? Number(start.toPrecision(2)) : undefined;
  option.grid.right = 70;
  option.series = [{
    type: 'custom', name: figure.columns[1].name, clip: false,
    renderItem: waterfallItem(view, steps, option.xAxis.min ?? 0),
    encode: { x: [1, 2], y: 0 }, data: steps.map(([from, to], index) => [index, from, to]),
  }];
  option.tooltip.formatter = (params) => {
    const index = params[0].dataIndex;
    const [, to, role] = steps[index];
    const unit = values.unit || figure.unit;
    const lines = [[view.colour(role), role, formatValue(figure.rows[index][1], unit)]];
    if (role !== 'total') lines.push([null, 'so far', formatValue(to, unit)]);
    return tip(formatCell(figure.rows[index][0]), lines);
  };
  return option;
}
