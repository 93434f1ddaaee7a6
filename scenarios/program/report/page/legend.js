/* Legends are elements of the page: they wrap and scroll, are reached by keys, and print whole. */

function legendEntry(chart, name, list) {
  const button = make('button', 'legend-entry', null, make('li', null, null, list));
  button.type = 'button';
  button.setAttribute('aria-pressed', 'true');
  button.title = `show or hide ${name}`;
  make('span', 'swatch', null, button).dataset.name = name;
  button.append(name);
  button.addEventListener('click', () => {
    toggleSeries(chart, name);
    button.setAttribute('aria-pressed', String(!chart.hidden.has(name)));
  });
  for (const [event, type] of [['pointerenter', 'highlight'], ['pointerleave', 'downplay']]) {
    button.addEventListener(event, () => {
      if (!chart.hidden.has(name)) chart.instance?.dispatchAction({ type, seriesName: name });
    });
  }
}

function drawRamp(figure, theme, box) {
  const { axis, low, high, colours } = RAMPS[figure.kind](figure, theme);
  box.replaceChildren();
  make('span', 'ramp-name', withUnit(axis.name, axis.unit), box);
  make('span', null, formatTick(low), box);
  const ramp = make('span', 'ramp', null, box);
  ramp.style.background = `linear-gradient(90deg, ${colours.join(', ')})`;
  make('span', null, formatTick(high) + (axis.logarithmic ? ', logarithmic' : ''), box);
}

function createLegend(chart, parent) {
  const { figure } = chart;
  if (figure.kind in RAMPS) return make('div', 'ramp-box', null, parent);
  const names = legendNames(figure);
  if (!names.length) return null;
  const list = make('ul', 'legend', null, parent);
  list.setAttribute('aria-label', 'legend');
  for (const name of names) legendEntry(chart, name, list);
  return list;
}

function paintLegend(chart, legend, theme) {
  if (!legend) return;
  if (chart.figure.kind in RAMPS) {
    drawRamp(chart.figure, theme, legend);
    return;
  }
  for (const swatch of legend.querySelectorAll('.swatch')) {
    swatch.style.background = colourOf(theme, swatch.dataset.name);
  }
}
