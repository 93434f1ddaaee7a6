/* The life of a chart: how large, drawn with what, again in other colours, on paper, in a file. */

const KINDS = {
  bars: drawBars, stacked_bars: drawStackedBars, lines: drawLines, steps: drawSteps,
  areas: drawAreas, heat: drawHeat, waterfall: drawWaterfall, tornado: drawTornado,
  points: drawPoints, graph: drawGraph,
};
const RAMPS = { heat: heatScale, graph: graphScale };
const CATEGORICAL = ['bars', 'stacked_bars', 'waterfall', 'tornado'];
const PAPER_WIDTH = 680; /* of an A4 page less its margins, in CSS pixels */
const MANY_MARKS = 3000;
const CURVE_HEIGHT = 270; /* pixels */
const NUMBERS_ROOM = 70; /* pixels of an axis of numbers with its title */

function chartHeight(figure) {
  if (figure.kind === 'heat') return heatHeight(figure);
  if (figure.kind === 'graph') return graphHeight(figure);
  if (!CATEGORICAL.includes(figure.kind)) return CURVE_HEIGHT;
  return Math.min(BAR_ROOM, barHeight(figure, visibleColumns(figure), figure.kind)) + 62;
}

/* Vector graphics are sharp on paper; many marks are cheaper as pixels. */
function rendererOf(figure) {
  const marks = figure.rows.length * (figure.columns.length - 1);
  return figure.kind === 'heat' || marks > MANY_MARKS ? 'canvas' : 'svg';
}

function legendNames(figure) {
  if (figure.kind === 'points') {
    return columnNamed(figure, 'group') < 0 ? [] : [...pointGroups(figure).keys()];
  }
  if (figure.kind === 'tornado') return [1, 2].map((index) => figure.columns[index].name);
  if (['heat', 'waterfall', 'table', 'graph'].includes(figure.kind)) return [];
  const columns = visibleColumns(figure);
  const names = columns.map((index) => figure.columns[index].name);
  return names.length > 1 || isNamedNowhere(figure) ? names : [];
}

/* A single curve or part is named by the axis, unless that has a name of its own. */
function isNamedNowhere({ kind, axes }) {
  if (kind === 'stacked_bars') return Boolean(axes.x || axes.y);
  return ['lines', 'areas'].includes(kind) && Boolean(axes.y);
}

/* What has no legend has a colour as well. */
function colourNames(figure) {
  const names = legendNames(figure);
  if (names.length || ['heat', 'waterfall', 'points', 'graph'].includes(figure.kind)) return names;
  return visibleColumns(figure).map((index) => figure.columns[index].name);
}

function chartOption(chart, width) {
  const { figure, theme } = chart;
  const option = KINDS[figure.kind]({
    figure, theme, width, cellAt: chart.cellAt, colour: (name) => colourOf(theme, name),
  });
  const names = CATEGORICAL.includes(figure.kind) ? nameRoom(width) : NUMBERS_ROOM;
  if (option.xAxis.name) option.xAxis.name = twoLines(option.xAxis.name, width - names);
  option.legend.selected = Object.fromEntries([...chart.hidden].map((name) => [name, false]));
  return option;
}

function createChart(figure, box) {
  return { figure, box, hidden: new Set(), theme: null, instance: null };
}

function openInstance(chart) {
  const renderer = rendererOf(chart.figure);
  chart.box.style.height = `${chartHeight(chart.figure)}px`;
  chart.instance = echarts.init(chart.box, null, {
    renderer, devicePixelRatio: renderer === 'canvas' ? Math.max(2, devicePixelRatio) : undefined,
  });
  if (chart.figure.kind === 'heat') watchPointer(chart);
}

/* Column and row of a heat map below the pointer. */
function watchPointer(chart) {
  let at = [0, 0];
  chart.box.addEventListener('mousemove', ({ clientX, clientY }) => {
    const { left, top } = chart.box.getBoundingClientRect();
    at = [clientX - left, clientY - top];
  }, { capture: true });
  chart.cellAt = () => chart.instance.convertFromPixel({ gridIndex: 0 }, at);
}

function drawChart(chart, theme) {
  chart.theme = theme;
  if (!chart.instance) openInstance(chart);
  chart.width = chart.instance.getWidth();
  chart.instance.setOption(chartOption(chart, chart.width), { notMerge: true });
  chart.instance.getZr().flush();
}

function fitChart(chart, width) {
  if (!chart.instance) return;
  chart.instance.resize({ width: width ?? 'auto' });
  if (nameRoom(chart.instance.getWidth()) !== nameRoom(chart.width)) drawChart(chart, chart.theme);
  chart.instance.getZr().flush();
}

function toggleSeries(chart, name) {
  if (!chart.hidden.delete(name)) chart.hidden.add(name);
  chart.instance.dispatchAction({ type: 'legendToggleSelect', name });
}

/* A file has what the page writes around the chart: the title, the names of numbered marks, the
 * legend, the ramp. */
function pictureOption(chart, theme) {
  const option = chartOption({ ...chart, theme }, pictureWidth(chart));
  const names = legendNames(chart.figure);
  const lines = Math.ceil(names.join('      ').length / 105);
  const numbered = numberedMarks(chart.figure), below = numbered.length * 18;
  option.title = { text: chart.figure.title, left: 8, top: 6, itemGap: 8,
    textStyle: { fontSize: 15, color: theme.ink, fontFamily: theme.font },
    subtext: numbered.join('\n'), subtextStyle: { color: theme.ink, lineHeight: 18 } };
  option.legend = { ...option.legend, show: names.length > 0, top: 32 + below, left: 8, right: 8,
    data: names, icon: 'rect', itemWidth: 11, itemHeight: 11, textStyle: { color: theme.ink } };
  option.grid = { ...option.grid, top: 46 + below + lines * 22, left: 10, bottom: 10 };
  option.backgroundColor = theme.panel;
  const scale = RAMPS[chart.figure.kind]?.(chart.figure, theme);
  if (scale) pictureRamp(option, scale);
  return { option, more: 40 + below + lines * 22 };
}

function pictureRamp(option, { axis, low, high, colours }) {
  option.visualMap = { min: low, max: high === low ? low + 1 : high, inRange: { color: colours },
    text: [formatTick(high), `${formatTick(low)}${axis.logarithmic ? ', log' : ''}`],
    orient: 'vertical', right: 6, top: 'middle', itemWidth: 12, itemHeight: 120, dimension: 0 };
  option.grid.right = 84;
}

function pictureWidth(chart) {
  return Math.max(760, chart.box.clientWidth);
}

function pictureSize(chart, more) {
  return { width: pictureWidth(chart), height: chart.box.clientHeight + more };
}

function chartSvg(chart, theme) {
  const { option, more } = pictureOption(chart, theme);
  const picture = echarts.init(null, null, {
    renderer: 'svg', ssr: true, ...pictureSize(chart, more),
  });
  picture.setOption(option);
  const text = picture.renderToSVGString();
  picture.dispose();
  return text;
}

function chartPng(chart, theme) {
  const { option, more } = pictureOption(chart, theme);
  const picture = echarts.init(document.createElement('div'), null, {
    renderer: 'canvas', devicePixelRatio: 2, ...pictureSize(chart, more),
  });
  picture.setOption(option);
  const canvas = picture.renderToCanvas({ pixelRatio: 2, backgroundColor: theme.panel });
  return new Promise((done) => canvas.toBlob((blob) => {
    picture.dispose();
    done(blob);
  }));
}
