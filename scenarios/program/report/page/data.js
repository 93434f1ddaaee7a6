/* The cells of a figure as the program wrote them: what JSON.parse makes of a number is neither
 * exact above 2^53 nor tells 5 from 5.0, and a file that is saved here has the bytes of --data. */

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]]|[^\s,[\]"]+/g;

/* A quotation mark within a text is behind a backslash, so that no text looks like a member. */
function findRows(text, id) {
  const name = id.replace(/[.-]/g, '\\$&');
  const head = new RegExp(`"id":\\s*"${name}",\\s*"topic":`).exec(text);
  const rows = /"rows":\s*(?=\[)/g;
  rows.lastIndex = head.index;
  rows.exec(text);
  return rows.lastIndex;
}

/* Rows of JSON tokens: 5.0, "text", null. */
function readTokens(text, id) {
  const rows = [];
  let depth = 0;
  TOKEN.lastIndex = findRows(text, id);
  do {
    const [token] = TOKEN.exec(text);
    if (token === ']') {
      depth--;
    } else if (token !== '[') {
      rows[rows.length - 1].push(token);
    } else if (++depth === 2) {
      rows.push([]);
    }
  } while (depth);
  return rows;
}

function quoteField(text) {
  return /[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function tokenField(token) {
  if (token === 'null') return '';
  return token[0] === '"' ? quoteField(JSON.parse(token)) : token;
}

function figureCsv(text, figure) {
  const names = figure.columns.map(({ name, unit }) => quoteField(withUnit(name, unit)));
  const rows = readTokens(text, figure.id).map((row) => row.map(tokenField));
  return [names, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

function isInexact(cell) {
  return Number.isInteger(cell) && !Number.isSafeInteger(cell);
}

/* What a table shows in each cell, by row and column. */
function cellTexts(text, figure) {
  let tokens = null;
  const exact = (row, column) => {
    tokens ??= readTokens(text, figure.id);
    const token = tokens[row][column];
    return /^-?\d+$/.test(token) ? groupDigits(token) : formatNumber(Number(token));
  };
  return (row, column) => {
    const cell = figure.rows[row][column];
    return isInexact(cell) ? exact(row, column) : formatCell(cell);
  };
}
