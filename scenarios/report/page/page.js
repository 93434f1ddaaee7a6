'use strict';
(() => {
  const report = JSON.parse(document.getElementById('data').textContent);
  const root = document.getElementById('report');
  document.title = report.title;

  const element = (name, text, parent) => {
    const made = document.createElement(name);
    if (text !== undefined && text !== null) made.textContent = text;
    parent.append(made);
    return made;
  };

  const drawTable = (figure, parent) => {
    const table = element('table', null, parent);
    const head = element('tr', null, element('thead', null, table));
    for (const column of figure.columns)
      element('th', column.unit ? `${column.name} (${column.unit})` : column.name, head);
    const body = element('tbody', null, table);
    for (const row of figure.rows) {
      const line = element('tr', null, body);
      for (const cell of row) element('td', cell, line);
    }
  };

  element('h1', report.title, root);
  if (report.subtitle) element('p', report.subtitle, root);
  for (const { label, text } of report.lead) {
    const line = element('p', null, root);
    element('b', label, line);
    line.append(' ', text);
  }
  for (const section of report.sections) {
    const part = element('section', null, root);
    part.id = section.id;
    element('h2', section.title, part);
    if (section.text) element('p', section.text, part);
    for (const figure of section.figures) {
      const box = element('figure', null, part);
      box.id = figure.id;
      element('h3', figure.title, box);
      drawTable(figure, box);
      element('figcaption', `${figure.shows} ${figure.read} ${figure.note}`, box);
    }
  }
})();
