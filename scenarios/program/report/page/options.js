/* What the charts have in common: axes, marks, tips. */

/* Series of zeros say nothing, unless there is nothing else. */
function visibleColumns(figure) {
  const all = figure.columns.map((_, index) => index).slice(1);
  const some = all.filter((index) => figure.rows.some((row) => row[index]));
  return some.length ? some : all;
}

/* A figure's "x" or "y", by default called as the column. */
function axisOf(figure, which, column) {
  const named = figure.axes[which];
  return named ?? { name: column?.name ?? '', unit: column?.unit ?? '', logarithmic: false };
}

function baseOption(theme) {
  return {
    animation: false,
    textStyle: { fontFamily: theme.font, color: theme.ink },
    grid: {
      left: 4, right: 18, top: 14, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'all',
    },
    legend: { show: false },
    tooltip: tipStyle(theme),
  };
}

function axisStyle(theme) {
  return {
    nameLocation: 'middle',
    nameGap: 26,
    nameTextStyle: { color: theme.muted, fontSize: 12, lineHeight: 14 },
    axisLine: { show: true, lineStyle: { color: theme.muted } },
    axisTick: { lineStyle: { color: theme.muted } },
    axisLabel: { color: theme.ink, fontSize: 12, hideOverlap: true },
    splitLine: { lineStyle: { color: theme.line } },
    minorSplitLine: { lineStyle: { color: theme.line, opacity: 0.4 } },
  };
}

function axisTitle({ name, unit }) {
  return name === unit ? name : withUnit(name, unit);
}

const CHARACTER = 6.5; /* pixels, of most */

/* A text that is too long for a line has two. */
function twoLines(text, pixels) {
  const most = Math.floor(pixels / CHARACTER);
  const cut = text.length > most ? text.lastIndexOf(' ', most) : -1;
  return cut > 0 ? `${text.slice(0, cut)}\n${text.slice(cut + 1)}` : text;
}

function valueAxis(theme, axis, more) {
  const style = axisStyle(theme);
  return {
    ...style,
    type: axis.logarithmic ? 'log' : 'value',
    name: axisTitle(axis),
    axisLabel: { ...style.axisLabel, formatter: formatTick, ...endLabels(axis, more) },
    minorSplitLine: { ...style.minorSplitLine, show: axis.logarithmic },
    ...more,
  };
}

const NAME_ROOM = 220, NAME_SHARE = 0.4;

/* Names leave most of a narrow chart to what they name. */
function nameRoom(width) {
  return Math.min(NAME_ROOM, Math.round(NAME_SHARE * width));
}

function categoryAxis({ theme, width }, names, more) {
  const style = axisStyle(theme);
  const label = { ...style.axisLabel, width: nameRoom(width), overflow: 'truncate' };
  return {
    ...style, type: 'category', data: names, splitLine: { show: false }, ...more,
    axisLabel: { ...label, ...more.axisLabel },
  };
}

/* An axis that ends where the data do has a label there if that is a round number. */
function endLabels({ logarithmic }, { min, max }) {
  const odd = (end) => typeof end === 'number' && Number(end.toPrecision(2)) !== end;
  if (logarithmic) return {};
  return { showMinLabel: odd(min) ? false : undefined, showMaxLabel: odd(max) ? false : undefined };
}

function highest(values) {
  return values.reduce((most, value) => Math.max(most, value ?? -Infinity), -Infinity);
}

const FAR = 20;

/* An axis that reached a mark far above the values would show nothing of these; of shares the whole
 * is what they are to be compared with. */
function isFar(axis, at, top) {
  return top > 0 && at > FAR * top && !axis.unit?.startsWith('%');
}

/* Where an axis ends that has to show values and marks; undefined: wherever it likes. Shares of a
 * whole end at 100 %. */
function reachOf(axis, marks, values) {
  const top = highest(values), mark = highest(marks.map(({ at }) => at));
  if (axis.unit?.startsWith('%') && top > 60 && Math.max(top, mark) < 100.01) return 100;
  return mark > top ? mark * 1.06 : undefined;
}

/* `more` has what else is to be said of a label. */
function markLines(theme, marks, screenAxis, more) {
  if (!marks.length) return undefined;
  return {
    symbol: 'none', silent: true, animation: false,
    lineStyle: { type: 'dashed', width: 1, color: theme.muted },
    label: {
      color: theme.ink, fontSize: 11, position: 'insideEndTop', textBorderColor: theme.panel,
      textBorderWidth: 3,
    },
    data: marks.map((mark) => ({
      [screenAxis(mark)]: mark.at,
      label: { formatter: mark.label ?? formatNumber(mark.at), ...more?.(mark) },
    })),
  };
}

function putMarks(option, marks) {
  if (marks && option.series.length) option.series[0].markLine = marks;
}

function tipStyle(theme) {
  return {
    confine: true,
    backgroundColor: theme.panel,
    borderColor: theme.muted,
    borderWidth: 1,
    padding: [6, 9],
    textStyle: { color: theme.ink, fontSize: 12, fontFamily: theme.font },
    extraCssText: 'box-shadow: 0 2px 8px #0003; border-radius: 4px;',
  };
}

/* A tip is made of elements, never of text that could be taken for some. `lines` are
 * [colour or null, name, value]. */
function tip(title, lines) {
  const box = make('div', 'tip');
  if (title) make('b', null, title, box);
  const grid = make('div', 'tip-lines', null, box);
  for (const [colour, name, value] of lines) {
    const swatch = make('span', colour ? 'swatch' : 'no-swatch', null, grid);
    if (colour) swatch.style.background = colour;
    make('span', 'tip-name', name, grid);
    make('span', 'tip-value', value, grid);
  }
  return box;
}

const TIP_LINES = 16;

/* Of many curves the highest; parts keep their order. */
function boundLines(entries, unit, sorted) {
  const shown = sorted ? entries.toSorted((a, b) => b.value - a.value) : entries;
  const lines = shown.slice(0, TIP_LINES)
    .map(({ colour, name, value }) => [colour, name, formatValue(value, unit)]);
  const more = shown.length - TIP_LINES;
  if (more > 0) lines.push([null, `and ${more} more`, '']);
  return lines;
}

function totalLine(entries, unit) {
  const sum = entries.reduce((total, { value }) => total + value, 0);
  return [null, 'sum', formatValue(sum, unit)];
}
