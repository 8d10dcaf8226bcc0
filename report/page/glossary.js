// The words of the glossary are explained where a section first uses them: on
// hover, on focus and to screen readers.
const words = new Map();
for (const dt of document.querySelectorAll('.glossary dt'))
  words.set(dt.textContent.toLowerCase(), dt.nextElementSibling);
const escape = s => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const pattern = new RegExp('(?<![\\w-])(' + [...words.keys()].map(escape).join('|') + ')(e?s)?(?![\\w-])', 'i');
const skipped = '.place,.made,code,pre,svg,canvas,button,label,kbd,a,summary,abbr,.glossary,.viewer,.sr,h1,h2,h3,h4';

// place keeps the explanation of a word inside the page.
const place = e => e.target.classList.toggle('left', e.target.getBoundingClientRect().left > innerWidth / 2);

// explain marks the first use of each word below an element.
const explain = (root, seen) => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (let text of texts) {
    if (text.parentElement.closest(skipped)) continue;
    for (let m; (m = pattern.exec(text.data));) {
      const key = m[1].toLowerCase(), after = text.splitText(m.index);
      text = after.splitText(m[0].length);
      if (seen.has(key)) continue;
      seen.add(key);
      const abbr = document.createElement('abbr');
      abbr.tabIndex = 0;
      abbr.dataset.meaning = words.get(key).textContent;
      abbr.setAttribute('aria-describedby', words.get(key).id);
      abbr.addEventListener('pointerenter', place);
      abbr.addEventListener('focus', place);
      after.replaceWith(abbr);
      abbr.append(after);
    }
  }
};
for (const part of document.querySelectorAll('.part,.finding>section,section.finding,.operation,header.page'))
  explain(part, new Set([...part.querySelectorAll('abbr')].map(a => a.textContent.toLowerCase())));
