/** The search field of a page. The index is loaded when the field first gets the focus. */
import MiniSearch from 'minisearch';
import { indexOptions, searchOptions } from './options.mjs';

const MAX_SHOWN = 20;
const field = document.querySelector('#search');
const status = document.querySelector('#search-status');
const list = document.querySelector('#search-results');
const root = field.dataset.root;
let loading;

// Without scripts there is no search, and the page shows none.
field.closest('search').hidden = false;
field.addEventListener('focus', () => void load());
field.addEventListener('input', () => void show());
document.addEventListener('keydown', act);

function load() {
  return (loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${root}search-index.js`;
    script.addEventListener('load', () => resolve(MiniSearch.loadJS(globalThis.searchIndexOfSite, indexOptions)));
    script.addEventListener('error', () => {
      loading = undefined;
      reject(new Error('The index of the search could not be loaded. Reload the page.'));
    });
    document.head.append(script);
  }));
}

async function show() {
  const words = field.value.trim();
  try {
    const index = await load();
    if (words === field.value.trim()) list.replaceChildren(...itemsFor(words, index));
  } catch (error) {
    status.textContent = error.message;
  }
}

function itemsFor(words, index) {
  if (words === '') {
    status.textContent = '';
    return [];
  }
  const found = index.search(words, searchOptions);
  status.textContent = sayCount(found.length);
  return found.slice(0, MAX_SHOWN).map(itemOf);
}

function sayCount(count) {
  if (count === 0) return 'Nothing found';
  if (count > MAX_SHOWN) return `The best ${MAX_SHOWN} of ${count} results`;
  return count === 1 ? '1 result' : `${count} results`;
}

function itemOf({ address, page, heading }) {
  const link = document.createElement('a');
  link.href = root + address;
  link.append(heading || page);
  if (heading) {
    const hint = document.createElement('small');
    hint.textContent = page;
    link.append(hint);
  }
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** Ctrl+K or ⌘K leads to the field, arrows through the results, Enter to the first one, and Escape clears the field. */
function act(event) {
  const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
  if (isShortcut) field.focus();
  else if (!field.closest('search').contains(event.target) || !move(event.key)) return;
  event.preventDefault();
}

/** @returns whether the key does something */
function move(key) {
  const stops = [field, ...list.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement);
  if (key === 'ArrowDown') stops[Math.min(at + 1, stops.length - 1)].focus();
  else if (key === 'ArrowUp') stops[Math.max(at - 1, 0)].focus();
  else if (key === 'Enter' && at === 0) stops[1]?.click();
  else if (key === 'Escape') {
    field.value = '';
    field.focus();
    void show();
  } else return false;
  return true;
}
