/* A figure of the page: title, buttons, chart, legend, table, caption. */

function save(name, content, type) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const url = URL.createObjectURL(blob);
  const link = make('a', null, null, document.body);
  link.href = url;
  link.download = name;
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function addButton(parent, text, title, action) {
  const button = make('button', null, text, parent);
  button.type = 'button';
  button.title = title;
  button.setAttribute('aria-label', title);
  button.addEventListener('click', () => action(button));
  return button;
}

function toggleTable(view, button) {
  view.tableBox.hidden = !view.tableBox.hidden;
  button.setAttribute('aria-expanded', String(!view.tableBox.hidden));
  view.table ??= createTable(view.figure, view.source, view.tableBox);
}

/* Files are light, whatever the page is. */
function inLight(action) {
  const root = document.documentElement;
  const before = root.dataset.theme;
  root.dataset.theme = 'light';
  const theme = readTheme();
  root.dataset.theme = before;
  return action(theme);
}

async function savePicture(view, kind) {
  const { chart, figure } = view;
  const draw = { svg: chartSvg, png: chartPng }[kind];
  const picture = await inLight((theme) => draw(chart, theme));
  save(`${figure.id}.${kind}`, picture, 'image/svg+xml');
}

function addButtons(view, parent) {
  const { figure, chart } = view;
  const bar = make('div', 'buttons', null, parent);
  if (chart) {
    const button = addButton(bar, 'Table', `show or hide the table of ${figure.title}`,
      (self) => toggleTable(view, self));
    button.setAttribute('aria-expanded', 'false');
    if (figure.kind === 'graph') toggleTable(view, button);
  }
  addButton(bar, 'CSV', `save the data of ${figure.title} as CSV`,
    () => save(`${figure.id}.csv`, figureCsv(view.source, figure), 'text/csv'));
  if (!chart) return;
  for (const kind of ['PNG', 'SVG']) {
    addButton(bar, kind, `save the picture of ${figure.title} as ${kind}`,
      () => savePicture(view, kind.toLowerCase()));
  }
}

/* What is shown and how to read it; of another that says the same only which one. */
function addReading(figure, alike, caption) {
  if (alike) {
    caption.append('As ');
    make('a', null, alike.title, caption).href = `#${alike.id}`;
    caption.append('.');
    return;
  }
  make('span', null, figure.shows, caption);
  if (figure.unit) caption.append(` Unit: ${figure.unit}.`);
  if (figure.read) make('span', 'read', ` ${figure.read}`, caption);
}

function addCaption(figure, alike, element) {
  const caption = make('figcaption', null, null, element);
  addReading(figure, alike, caption);
  if (figure.note) make('span', 'note', ` ${figure.note}`, caption);
  const numbered = numberedMarks(figure);
  if (numbered.length) make('span', 'note', ` Marks: ${numbered.join('; ')}.`, caption);
  const far = farMarks(figure);
  if (far.length) make('span', 'note', ` Far above what is drawn: ${far.join(', ')}.`, caption);
}

function addChart(view, element) {
  const { figure } = view;
  const box = document.createElement('div');
  box.className = 'chart';
  box.setAttribute('role', 'img');
  box.setAttribute('aria-label', `${figure.title}. ${figure.shows}`);
  box.style.height = `${chartHeight(figure)}px`;
  view.chart = createChart(figure, box);
  view.legend = createLegend(view.chart, element);
  element.append(box);
  view.tableBox = make('div', 'table-box', null, element);
  view.tableBox.hidden = true;
}

function createFigure(figure, alike, source, parent) {
  const element = make('figure', `kind-${figure.kind}`, null, parent);
  element.id = figure.id;
  const view = { figure, source, element, chart: null, legend: null, table: null };
  element.hidden = Boolean(figure.opener);
  const header = make('header', null, null, element);
  make('h3', null, figure.title, header);
  if (figure.kind in KINDS) addChart(view, element);
  else view.tableBox = make('div', 'table-box', null, element);
  addButtons(view, header);
  addCaption(figure, alike, element);
  return view;
}

function drawFigure(view, theme) {
  if (view.chart) {
    paintLegend(view.chart, view.legend, theme);
    drawChart(view.chart, theme);
  } else {
    view.table = createTable(view.figure, view.source, view.tableBox);
  }
  view.element.dataset.drawn = 'yes';
}
