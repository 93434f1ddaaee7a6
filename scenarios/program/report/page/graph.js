/* Places and lines between them, whose width and colour are a value: a network and how busy its
 * links were. */

const GRAPH_COLUMNS = { name: 0, from: 1, to: 2, value: 3 };
const BULGE = 0.05; /* of its length: a line and the one back stand beside each other */
const NAMED_AT_MOST = 40;
const WIDE_AT_MOST = 150; /* lines */

function isEnd(name) {
  return !name.includes('[');
}

function graphHeight(figure) {
  const ends = figure.places.filter(([name]) => isEnd(name)).length;
  return Math.min(480, Math.max(320, 4 * ends));
}

/* Busy is busy, however busy others are. */
function graphScale(figure, theme) {
  return { axis: figure.axes.value, low: 0, high: 100, colours: theme.ramp };
}

/* A line on the right of the straight way, as one drives. */
function graphLine([x1, y1], [x2, y2], curved) {
  const bulge = curved ? BULGE : 0;
  return { x1, y1, x2, y2, cpx1: (x1 + x2) / 2 - bulge * (y2 - y1),
    cpy1: (y1 + y2) / 2 + bulge * (x2 - x1) };
}

function graphLinks(figure, scale) {
  const places = new Map(figure.places.map(([name, x, y]) => [name, [x, y]]));
  const colour = heatColours(scale);
  /* the busiest last, over the others */
  const order = figure.rows.map((_, row) => row).reverse();
  const widest = figure.rows.length <= WIDE_AT_MOST ? 5 : 2;
  const render = (params, api) => {
    const row = figure.rows[order[params.dataIndex]];
    const [name, from, to, value] = row;
    const curved = !isEnd(from) && !isEnd(to);
    const shape = graphLine(api.coord(places.get(from)), api.coord(places.get(to)), curved);
    const share = value / scale.high;
    return { type: 'bezierCurve', name, shape, z2: share * 100,
      style: { stroke: colour(value), fill: 'none', lineWidth: 1 + widest * share } };
  };
  return { order, series: {
    type: 'custom', name: scale.axis.name, renderItem: render, encode: { x: 0, y: 1 },
    data: order.map((row) => places.get(figure.rows[row][GRAPH_COLUMNS.from])),
  } };
}

/* "5" of "router[request][5]": of many places only those that are joined by lines are named. */
function graphLabel(name, few) {
  if (isEnd(name)) return few ? name.replace('L2 slice', 'L2') : '';
  return /\[(\d+)\]$/.exec(name)?.[1] ?? name;
}

/* Away from the middle, where the lines are. */
function graphLabelSide(figure, name, x) {
  if (!isEnd(name)) return /\d+\]$/.test(name) ? 'inside' : 'top';
  const all = figure.places.map((place) => place[1]);
  return x < (Math.min(...all) + Math.max(...all)) / 2 ? 'left' : 'right';
}

function graphPlaces(figure, theme) {
  const few = figure.places.length <= NAMED_AT_MOST;
  const symbol = (name) => (isEnd(name) ? { symbol: 'circle', symbolSize: few ? 7 : 4 }
    : { symbol: 'roundRect', symbolSize: [22, 16] });
  return {
    type: 'scatter', name: 'places', z: 5,
    data: figure.places.map(([name, x, y]) => ({
      name, value: [x, y], ...symbol(name),
      itemStyle: { color: isEnd(name) ? theme.muted : theme.panel, borderColor: theme.muted,
        opacity: 1 },
      label: { show: Boolean(graphLabel(name, few)), formatter: graphLabel(name, few),
        position: graphLabelSide(figure, name, x), color: theme.ink, fontSize: 10 },
    })),
  };
}

function graphTip(figure, scale, order) {
  const colour = heatColours(scale);
  return ({ seriesType, dataIndex, name }) => {
    if (seriesType === 'scatter') return tip(name, []);
    const row = figure.rows[order[dataIndex]];
    const lines = figure.columns.slice(1).map(({ name: column, unit }, i) => [
      i + 1 === GRAPH_COLUMNS.value ? colour(row[i + 1]) : null, column,
      typeof row[i + 1] === 'number' ? formatValue(row[i + 1], unit) : row[i + 1]]);
    return tip(row[GRAPH_COLUMNS.name], lines);
  };
}

function graphAxis(figure, index) {
  const values = figure.places.map((place) => place[index]);
  const low = Math.min(...values), high = Math.max(...values), room = (high - low || 1) * 0.04;
  return { type: 'value', show: false, min: low - room, max: high + room };
}

/* What names of ends take on both sides, in pixels. */
function graphRoom({ places }) {
  const few = places.length <= NAMED_AT_MOST;
  const ends = places.filter(([name]) => isEnd(name)).map(([name]) => graphLabel(name, few));
  return CHARACTER * Math.max(0, ...ends.map(({ length }) => length));
}

function drawGraph({ figure, theme }) {
  const scale = graphScale(figure, theme), { order, series } = graphLinks(figure, scale);
  const option = {
    ...baseOption(theme), xAxis: graphAxis(figure, 1),
    yAxis: { ...graphAxis(figure, 2), inverse: true },
    series: [series, graphPlaces(figure, theme)],
  };
  Object.assign(option.grid, { left: graphRoom(figure), right: graphRoom(figure) });
  Object.assign(option.tooltip, { trigger: 'item', formatter: graphTip(figure, scale, order) });
  return option;
}
