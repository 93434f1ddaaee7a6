/* Which rows of a table are shown, and in which order. */

const CONDITION = /("[^"]*"|[^\s<>=!"]*)\s*(<=|>=|!=|<|>|=)\s*(-?[\d.,]+(?:e[+-]?\d+)?)|\S+/gi;
const COMPARE = {
  '<': (a, b) => a < b, '<=': (a, b) => a <= b, '>': (a, b) => a > b, '>=': (a, b) => a >= b,
  '=': (a, b) => a === b, '!=': (a, b) => a !== b,
};

function findColumns(figure, name) {
  const wanted = name.toLowerCase();
  const matches = (test) => figure.columns.map((_, index) => index)
    .filter((index) => test(figure.columns[index].name.toLowerCase()));
  const exact = matches((column) => column === wanted);
  return exact.length ? exact : matches((column) => column.includes(wanted));
}

function numberCondition(figure, [, name, operator, text]) {
  const columns = findColumns(figure, name.replaceAll('"', ''));
  const limit = Number(text.replaceAll(',', ''));
  const holds = COMPARE[operator];
  const fits = (cell) => typeof cell === 'number' && holds(cell, limit);
  return (row) => columns.some((index) => fits(row[index]));
}

function textCondition(word) {
  const wanted = word.toLowerCase();
  return (row) => row.some((cell) => cell !== null && String(cell).toLowerCase().includes(wanted));
}

/* "dram >100 latency<=2e3": all of the words are in a row, and all comparisons hold, of the named
 * column or of any; a name with spaces is quoted. */
function parseFilter(figure, text) {
  const conditions = [...text.matchAll(CONDITION)]
    .map((match) => (match[2] ? numberCondition(figure, match) : textCondition(match[0])));
  return (row) => conditions.every((holds) => holds(row));
}

const collator = new Intl.Collator('en', { numeric: true });

/* Numbers before texts. */
function compareCells(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return collator.compare(a, b);
}

/* Indices of rows; empty cells come last either way. `order` is { column, down } or null. */
function arrangeRows(figure, filter, order) {
  const { rows } = figure;
  const holds = parseFilter(figure, filter);
  const shown = rows.map((_, index) => index).filter((index) => holds(rows[index]));
  if (!order) return shown;
  const { column, down } = order;
  return shown.sort((one, other) => {
    const a = rows[one][column], b = rows[other][column];
    if (a === null || b === null) return (a === null) - (b === null);
    return down ? compareCells(b, a) : compareCells(a, b);
  });
}
