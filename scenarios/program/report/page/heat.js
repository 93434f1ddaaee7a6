/* Rows of cells whose colour is a value. The cells are one picture: as shapes of ECharts, ten
 * thousand of them would take most of a second. */

const RAMP_STEPS = 256;

/* As many rows have room for their names; of more, units of a kind, every second one has. */
const NAMED_ROWS = 60;

function heatYName(figure) {
  const { name, unit } = axisOf(figure, 'y', figure.columns[0]);
  return withUnit(name, unit);
}

/* The axis's name has room beside the rows. */
function heatHeight(figure) {
  const rows = figure.rows.length, name = heatYName(figure).length * CHARACTER;
  const row = Math.min(22, Math.max(rows > NAMED_ROWS ? 7 : 14, 420 / rows));
  return Math.min(900, Math.max(90, name, rows * row)) + 56;
}

function isCell(value, logarithmic) {
  return typeof value === 'number' && (!logarithmic || value > 0);
}

function heatRange(figure, logarithmic) {
  let low = Infinity, high = -Infinity;
  for (const row of figure.rows) {
    for (let column = 1; column < row.length; column++) {
      if (!isCell(row[column], logarithmic)) continue;
      low = Math.min(low, row[column]);
      high = Math.max(high, row[column]);
    }
  }
  return low > high ? [1, 1] : [low, high];
}

/* The colours and their ends: changes have zero in the middle, amounts begin at zero unless they
 * are close together. */
function heatScale(figure, theme) {
  const axis = figure.axes.value ?? { name: figure.title, unit: figure.unit, logarithmic: false };
  let [low, high] = heatRange(figure, axis.logarithmic);
  const diverging = low < 0 && high > 0;
  if (diverging) {
    high = Math.max(high, -low);
    low = -high;
  } else if (!axis.logarithmic && low > 0 && low < high / 2) {
    low = 0;
  }
  return { axis, low, high, colours: diverging ? theme.diverging : theme.ramp };
}

function rampColour(colours, share) {
  const place = share * (colours.length - 1);
  const from = Math.min(colours.length - 2, Math.floor(place));
  return mixColours(colours[from], colours[from + 1], place - from);
}

/* From a value to its colour. */
function heatColours({ axis, low, high, colours }) {
  const steps = Array.from({ length: RAMP_STEPS },
    (_, i) => rampColour(colours, i / (RAMP_STEPS - 1)));
  const place = axis.logarithmic ? Math.log : (value) => value;
  const begin = place(low), span = place(high) - begin || 1;
  return (value) => steps[Math.round((place(value) - begin) / span * (RAMP_STEPS - 1))];
}

/* A pixel for each cell. */
function paintCells(figure, scale) {
  const canvas = document.createElement('canvas');
  canvas.width = figure.columns.length - 1;
  canvas.height = figure.rows.length;
  const brush = canvas.getContext('2d'), colour = heatColours(scale);
  figure.rows.forEach((row, y) => {
    for (let column = 1; column < row.length; column++) {
      if (!isCell(row[column], scale.axis.logarithmic)) continue;
      brush.fillStyle = colour(row[column]);
      brush.fillRect(column - 1, y, 1, 1);
    }
  });
  return canvas;
}

/* As large as it is shown, with sharp edges. */
function enlarge(cells, width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const brush = canvas.getContext('2d');
  brush.imageSmoothingEnabled = false;
  brush.drawImage(cells, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function heatItem(figure, scale) {
  const cells = paintCells(figure, scale);
  return ({ coordSys }, api) => {
    const { x, y, width, height } = coordSys;
    const ratio = api.getDevicePixelRatio?.() || 2;
    const image = enlarge(cells, width * ratio, height * ratio);
    return { type: 'image', style: { image, x, y, width, height } };
  };
}

function heatTip(view, scale, [x, y]) {
  const { figure } = view;
  const unit = (axis) => (axis.unit ? NO_BREAK + axis.unit : '');
  return () => {
    const [column, row] = view.cellAt();
    const value = figure.rows[row]?.[column + 1];
    if (typeof value !== 'number') return null;
    return tip(`${y.name} ${formatCell(figure.rows[row][0])}${unit(y)}`, [
      [null, x.name || 'at', figure.columns[column + 1].name + unit(x)],
      [heatColours(scale)(value) ?? null, scale.axis.name,
        formatValue(value, scale.axis.unit || figure.unit)],
    ]);
  };
}

function drawHeat(view) {
  const { figure, theme } = view;
  const scale = heatScale(figure, theme);
  const x = axisOf(figure, 'x', null), y = axisOf(figure, 'y', figure.columns[0]);
  const option = {
    ...baseOption(theme),
    xAxis: categoryAxis(view, figure.columns.slice(1).map(({ name }) => name), {
      name: withUnit(x.name, x.unit), axisTick: { show: false },
    }),
    yAxis: categoryAxis(view, rowNames(figure), {
      name: heatYName(figure), inverse: true, axisTick: { show: false },
    }),
    series: [{
      type: 'custom', name: scale.axis.name, renderItem: heatItem(figure, scale),
      encode: { x: 0, y: 1 }, data: [[0, 0]], clip: false,
    }],
  };
  Object.assign(option.tooltip, {
    trigger: 'item', transitionDuration: 0, formatter: heatTip(view, scale, [x, y]),
  });
  return option;
}
