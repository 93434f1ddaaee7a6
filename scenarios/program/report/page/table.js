/* Tables: sorted by a click on a header, filtered, and of long ones only the rows that are seen. */

const ROWS_WITHOUT_FILTER = 8;
const CELLS_AT_ONCE = 4000;
const ROWS_PRINTED = 100;
const SMALLEST_PRINT = 0.55;
const ROWS_AROUND = 12;
const ROW_HEIGHT = 24; /* pixels, of a table that is drawn in part; the style sheet has the same */

/* Sentences are wrapped, names and numbers are not. */
function columnClass(figure, index) {
  if (isNumeric(figure, index)) return 'number';
  return figure.rows.some((row) => String(row[index] ?? '').length > 44) ? 'sentence' : 'text';
}

function headerCell(table, index, line) {
  const { name, unit } = table.figure.columns[index];
  const cell = make('th', table.classes[index], null, line);
  cell.scope = 'col';
  cell.hidden = table.empty[index];
  cell.setAttribute('aria-sort', 'none');
  const button = make('button', null, name, cell);
  button.type = 'button';
  if (unit) make('span', 'unit', ` ${unit}`, button);
  button.addEventListener('click', () => sortBy(table, index));
}

/* Up, down, as it was. */
function sortBy(table, column) {
  const { order } = table;
  if (order?.column !== column) table.order = { column, down: false };
  else table.order = order.down ? null : { column, down: true };
  table.head.querySelectorAll('th').forEach((cell, index) => {
    const direction = table.order?.down ? 'descending' : 'ascending';
    cell.setAttribute('aria-sort', table.order?.column === index ? direction : 'none');
  });
  arrange(table);
}

function arrange(table) {
  table.shown = arrangeRows(table.figure, table.filter, table.order);
  const all = table.figure.rows.length;
  if (table.count) {
    const part = table.shown.length < all ? `${formatNumber(table.shown.length)} of ` : '';
    table.count.textContent = `${part}${formatNumber(all)} rows`;
  }
  table.first = -1;
  table.scroller.scrollTop = 0;
  fillRows(table);
}

/* The name of a row that has figures of its own opens them. */
function addOpener(field, text, opener) {
  const own = views.filter(({ figure }) => figure.opener === opener);
  if (!own.length) return;
  field.textContent = '';
  const button = make('button', 'opener', text, field);
  button.type = 'button';
  button.setAttribute('aria-expanded', String(!own[0].element.hidden));
  button.addEventListener('click', () => toggleRow(opener, button));
}

function rowElement(table, index) {
  const line = document.createElement('tr');
  table.figure.rows[index].slice(0, table.columns).forEach((cell, column) => {
    const text = table.text(index, column);
    const field = make('td', table.classes[column], text, line);
    if (!column) addOpener(field, text, `${table.figure.id}/${index}`);
    field.hidden = table.empty[column];
    if (cell === 0) field.classList.add('zero');
    if (table.partial && text.length > 24) field.title = text;
  });
  return line;
}

function spacer(rows) {
  const line = document.createElement('tr');
  line.className = 'spacer';
  line.style.height = `${rows * ROW_HEIGHT}px`;
  return line;
}

/* On paper a table has its first rows, and the columns that can still be read. */
function printRows(table) {
  const widths = [...table.head.children].map((cell) => cell.getBoundingClientRect().right);
  const left = table.element.getBoundingClientRect().left;
  const fitting = widths.filter((right) => right - left <= PAPER_WIDTH / SMALLEST_PRINT).length;
  showColumns(table, Math.max(1, fitting));
  const rows = table.shown.slice(0, ROWS_PRINTED).map((index) => rowElement(table, index));
  table.body.replaceChildren(...rows);
  table.element.style.zoom = Math.min(1, PAPER_WIDTH / table.element.offsetWidth);
  const counts = [
    [table.shown.length - rows.length, 'rows'], [widths.length - table.columns, 'columns'],
  ];
  table.rest.textContent = counts.filter(([count]) => count > 0)
    .map(([count, of]) => `${formatNumber(count)} further ${of} are not printed.`).join(' ');
}

function showColumns(table, count) {
  table.columns = count;
  for (const list of [table.head.children, table.element.querySelectorAll('col')]) {
    [...list].forEach((cell, index) => {
      cell.hidden = index >= count || table.empty[index];
    });
  }
  if (table.partial) table.element.style.width = `${sum(table.widths.slice(0, count))}ch`;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function leavePaper(table) {
  showColumns(table, table.figure.columns.length);
  table.rest.textContent = '';
  table.element.style.zoom = '';
  table.first = -1;
  fillRows(table);
}

function fillRows(table) {
  if (!table.partial) {
    table.body.replaceChildren(...table.shown.map((index) => rowElement(table, index)));
    return;
  }
  const { scroller, shown } = table;
  const room = Math.ceil((scroller.clientHeight || 480) / ROW_HEIGHT);
  const first = Math.max(0, Math.floor(scroller.scrollTop / ROW_HEIGHT) - ROWS_AROUND) & ~1;
  const last = Math.min(shown.length, first + room + 2 * ROWS_AROUND);
  if (first === table.first) return;
  table.first = first;
  table.body.replaceChildren(spacer(first),
    ...shown.slice(first, last).map((index) => rowElement(table, index)),
    spacer(shown.length - last));
}

/* In characters; a sample of the rows is enough. */
function columnWidth(table, index) {
  const { columns, rows } = table.figure;
  if (table.empty[index]) return 0;
  let width = withUnit(columns[index].name, columns[index].unit).length + 2;
  const step = Math.max(1, Math.floor(rows.length / 500));
  for (let row = 0; row < rows.length; row += step) {
    width = Math.max(width, table.text(row, index).length + 1);
  }
  return Math.min(44, width) + 2;
}

/* Widths of a table drawn in part do not change as it is scrolled. */
function fixColumns(table) {
  const group = document.createElement('colgroup');
  table.widths = table.figure.columns.map((_, index) => columnWidth(table, index));
  for (const width of table.widths) make('col', null, null, group).style.width = `${width}ch`;
  table.element.prepend(group);
  table.element.style.width = `${sum(table.widths)}ch`;
}

function filterBox(table, parent) {
  const bar = make('div', 'table-bar', null, parent);
  const input = make('input', null, null, bar);
  input.type = 'search';
  input.placeholder = 'filter: words, or latency > 100';
  input.setAttribute('aria-label', `filter the rows of ${table.figure.title}`);
  input.addEventListener('input', () => {
    table.filter = input.value;
    arrange(table);
  });
  table.count = make('span', 'count', null, bar);
  table.count.setAttribute('aria-live', 'polite');
}

/* Such columns are not shown; they are in the CSV. */
function isEmptyColumn(figure, index) {
  return figure.rows.every((row) => (row[index] ?? '') === '');
}

function createTable(figure, source, parent) {
  const table = {
    figure, filter: '', order: null, shown: [], first: -1, count: null, widths: [],
    columns: figure.columns.length,
    partial: figure.rows.length * figure.columns.length > CELLS_AT_ONCE,
    text: cellTexts(source, figure),
    classes: figure.columns.map((_, index) => columnClass(figure, index)),
    empty: figure.columns.map((_, index) => isEmptyColumn(figure, index)),
  };
  if (figure.rows.length > ROWS_WITHOUT_FILTER) filterBox(table, parent);
  table.scroller = make('div', 'scroller', null, parent);
  table.scroller.tabIndex = 0;
  table.scroller.setAttribute('role', 'region');
  table.scroller.setAttribute('aria-label', `table of ${figure.title}`);
  table.element = make('table', table.partial ? 'partial' : null, null, table.scroller);
  table.head = make('tr', null, null, make('thead', null, null, table.element));
  figure.columns.forEach((_, index) => headerCell(table, index, table.head));
  if (table.partial) fixColumns(table);
  table.body = make('tbody', null, null, table.element);
  table.rest = make('p', 'rest', null, parent);
  table.scroller.addEventListener('scroll', () => {
    if (table.partial) requestAnimationFrame(() => fillRows(table));
  }, { passive: true });
  arrange(table);
  return table;
}
