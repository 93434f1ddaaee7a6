/* Builds the page from the document that stands in it as data, and draws it piece by piece. */

const source = document.getElementById('data').textContent;
const report = JSON.parse(source);
const views = [];
const PIECE = 40; /* ms of drawing before the browser has its turn */

function make(name, className, text, parent) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined && text !== null) made.textContent = text;
  parent?.append(made);
  return made;
}

function addLead(parent) {
  if (!report.lead.length) return;
  const list = make('dl', 'lead', null, parent);
  for (const { label, text } of report.lead) {
    make('dt', null, label, list);
    make('dd', null, text, list);
  }
}

function isHalf(figure) {
  return ['lines', 'steps', 'areas', 'points'].includes(figure.kind)
    || (['bars', 'stacked_bars', 'tornado', 'waterfall'].includes(figure.kind)
      && figure.rows.length <= 12 && legendNames(figure).length <= 8);
}

/* Two narrow figures stand beside each other; one without a neighbour is wide. */
function placeFigures(figures) {
  let open = null;
  for (const view of figures) {
    const half = isHalf(view.figure);
    view.element.classList.toggle('half', half);
    if (!half && open) open.element.classList.remove('half');
    open = half && !open ? view : null;
  }
  open?.element.classList.remove('half');
}

/* The first figure of the section that has the caption of this one. */
function findAlike(figures, index) {
  const { shows, read, unit, opener } = figures[index];
  return figures.slice(0, index).find((other) => other.shows === shows && other.read === read
    && other.unit === unit && other.opener === opener);
}

function addSection(section, parent) {
  const part = make('section', null, null, parent);
  part.id = `section-${section.id}`;
  make('h2', null, section.title, part);
  if (section.text) make('p', 'about', section.text, part);
  const grid = make('div', 'figures', null, part);
  const figures = section.figures
    .map((figure, index, all) => createFigure(figure, findAlike(all, index), source, grid));
  placeFigures(figures);
  views.push(...figures);
}

function addContents(parent) {
  const list = make('ol', null, null, parent);
  for (const section of report.sections) {
    const item = make('li', null, null, list);
    make('a', null, section.title, item).href = `#section-${section.id}`;
    const inner = make('ol', null, null, item);
    for (const { id, title } of section.figures.filter(({ opener }) => !opener)) {
      make('a', null, title, make('li', null, null, inner)).href = `#${id}`;
    }
  }
}

/* A row may open figures of its own, which stand below its table. */
function toggleRow(opener, button) {
  const opened = views.filter(({ figure }) => figure.opener === opener);
  for (const { element } of opened) element.hidden = !element.hidden;
  button.setAttribute('aria-expanded', String(!opened[0].element.hidden));
}

/* The section that is read stands out in the contents. */
function followReader(contents) {
  const links = new Map([...contents.querySelectorAll(':scope > ol > li > a')]
    .map((link) => [link.getAttribute('href').slice(1), link]));
  const seen = new Set();
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) seen.add(target.id);
      else seen.delete(target.id);
    }
    const current = [...links.keys()].find((id) => seen.has(id));
    for (const [id, link] of links) {
      if (id === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }, { rootMargin: '-10% 0px -60% 0px' });
  document.querySelectorAll('main section').forEach((section) => watcher.observe(section));
}

function build() {
  document.title = report.title;
  const header = document.getElementById('header');
  make('h1', null, report.title, header);
  if (report.subtitle) make('p', 'subtitle', report.subtitle, header);
  const main = document.getElementById('report');
  addLead(main);
  for (const section of report.sections) addSection(section, main);
  make('footer', null, `${report.program}: report of a ${report.kind}`, main);
  const contents = document.getElementById('contents');
  addContents(contents);
  followReader(contents);
}

/* Names get their colours in the order of the page, not of drawing. */
function nameColours() {
  for (const { figure } of views) giveColours(figure.kind in KINDS ? colourNames(figure) : []);
}

async function drawAll() {
  const theme = readTheme();
  let begun = performance.now();
  for (const view of views) {
    drawFigure(view, theme);
    if (performance.now() - begun < PIECE) continue;
    await new Promise((done) => { setTimeout(done); });
    begun = performance.now();
  }
}

function redrawCharts() {
  const theme = readTheme();
  for (const view of views.filter(({ chart }) => chart?.instance)) {
    paintLegend(view.chart, view.legend, theme);
    drawChart(view.chart, theme);
  }
}

const darkScreen = matchMedia('(prefers-color-scheme: dark)');
let chosen = null; /* by the switch, else as the system has it */

function applyTheme(name) {
  const { dataset } = document.documentElement;
  if (dataset.theme === name) return;
  dataset.theme = name;
  redrawCharts();
}

function screenTheme() {
  return chosen ?? (darkScreen.matches ? 'dark' : 'light');
}

function addSwitch() {
  const header = document.getElementById('header');
  addButton(header, 'Light / dark', 'switch between light and dark', () => {
    chosen = screenTheme() === 'dark' ? 'light' : 'dark';
    applyTheme(chosen);
  }).className = 'switch';
  darkScreen.addEventListener('change', () => applyTheme(screenTheme()));
}

let printing = false;

function enterPrint() {
  if (printing) return;
  printing = true;
  document.documentElement.classList.add('printing');
  applyTheme('light');
  for (const { chart, table } of views) {
    if (chart) fitChart(chart, PAPER_WIDTH);
    if (table) printRows(table);
  }
}

function leavePrint() {
  if (!printing) return;
  printing = false;
  document.documentElement.classList.remove('printing');
  applyTheme(screenTheme());
  for (const { chart, table } of views) {
    if (chart) fitChart(chart);
    if (table) leavePaper(table);
  }
}

function watchPrint() {
  addEventListener('beforeprint', enterPrint);
  addEventListener('afterprint', leavePrint);
  matchMedia('print').addEventListener('change', ({ matches }) => {
    if (matches) enterPrint();
    else leavePrint();
  });
}

function watchWidth() {
  let timer = 0, width = innerWidth;
  addEventListener('resize', () => {
    if (printing || innerWidth === width) return;
    width = innerWidth;
    clearTimeout(timer);
    timer = setTimeout(() => views.forEach(({ chart }) => chart && fitChart(chart)), 120);
  });
}

async function start() {
  document.documentElement.dataset.theme = screenTheme();
  build();
  addSwitch();
  nameColours();
  await drawAll();
  watchPrint();
  watchWidth();
  document.body.dataset.ready = performance.now().toFixed(); /* ms since the navigation */
}

start();
