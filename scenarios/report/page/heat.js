/* Rows of cells whose colour is a value. */

function heatCells(figure, logarithmic) {
  return figure.rows.flatMap((row, y) => row.slice(1).map((value, x) => [x, y, value])
    .filter(([, , value]) => typeof value === 'number' && (!logarithmic || value > 0)));
}

function heatRange(cells) {
  let low = Infinity, high = -Infinity;
  for (const [, , value] of cells) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high ? [0, 1] : [low, high];
}

/* The colours and their ends: changes have zero in the middle, amounts begin at zero unless they
 * are close together. */
function heatScale(figure, theme) {
  const axis = figure.axes.value ?? { name: figure.title, unit: figure.unit, logarithmic: false };
  const cells = heatCells(figure, axis.logarithmic);
  let [low, high] = heatRange(cells);
  const diverging = low < 0 && high > 0;
  if (diverging) {
    high = Math.max(high, -low);
    low = -high;
  } else if (!axis.logarithmic && low > 0 && low < high / 2) {
    low = 0;
  }
  return { axis, cells, low, high, colours: diverging ? theme.diverging : theme.ramp };
}

function heatTip(figure, scale) {
  const x = axisOf(figure, 'x', null), y = axisOf(figure, 'y', figure.columns[0]);
  const unit = (axis) => (axis.unit ? NO_BREAK + axis.unit : '');
  return ({ data }) => {
    const [column, row] = data;
    const value = figure.rows[row][column + 1];
    return tip(`${y.name} ${formatCell(figure.rows[row][0])}${unit(y)}`, [
      [null, x.name || 'at', figure.columns[column + 1].name + unit(x)],
      [null, scale.axis.name, formatValue(value, scale.axis.unit || figure.unit)],
    ]);
  };
}

function drawHeat(view) {
  const { figure, theme } = view;
  const scale = heatScale(figure, theme);
  const place = scale.axis.logarithmic ? Math.log10 : (value) => value;
  const x = axisOf(figure, 'x', null), y = axisOf(figure, 'y', figure.columns[0]);
  const option = {
    ...baseOption(theme),
    xAxis: categoryAxis(theme, figure.columns.slice(1).map(({ name }) => name), {
      name: withUnit(x.name, x.unit), splitArea: { show: false },
    }),
    yAxis: categoryAxis(theme, rowNames(figure), { name: withUnit(y.name, y.unit), inverse: true }),
    visualMap: {
      show: false, dimension: 2, min: place(scale.low), max: place(scale.high),
      inRange: { color: scale.colours }, seriesIndex: 0, logarithmic: scale.axis.logarithmic,
    },
    series: [{
      type: 'heatmap', name: scale.axis.name,
      data: scale.cells.map(([column, row, value]) => [column, row, place(value)]),
      progressive: 0,
      emphasis: { itemStyle: { borderColor: theme.ink, borderWidth: 1 } },
    }],
  };
  Object.assign(option.tooltip, { trigger: 'item', formatter: heatTip(figure, scale) });
  return option;
}
