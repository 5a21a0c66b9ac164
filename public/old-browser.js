// Says in ES5, instead of a blank page, what a browser lacks.
(function () {
  // i8x16.popcnt
  var simd = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
  ];
  var lacks = [];
  function need(name, isThere) {
    if (!isThere) lacks.push(name);
  }
  need('JavaScript modules', 'noModule' in document.createElement('script'));
  need('WebAssembly with SIMD', window.WebAssembly && WebAssembly.validate(new Uint8Array(simd)));
  need('Array.toSorted', Array.prototype.toSorted);
  need('OffscreenCanvas', window.OffscreenCanvas);
  need('dialogs', window.HTMLDialogElement);
  need('BroadcastChannel', window.BroadcastChannel);
  need('AbortSignal.any', window.AbortSignal && AbortSignal.any);
  if (lacks.length === 0) return;
  function add(tag, text) {
    var element = document.createElement(tag);
    element.appendChild(document.createTextNode(text));
    page.appendChild(element);
  }
  var page = document.createElement('div');
  page.setAttribute('role', 'alert');
  page.style.cssText = 'max-width: 34em; margin: 15vh auto 0; padding: 0 1.5em; font: 16px/1.5 sans-serif';
  add('h1', 'Sightglass needs a newer browser');
  add('p', 'This one lacks: ' + lacks.join(', ') + '.');
  add('p', 'Update it, or use a current Chrome, Edge, Firefox or Safari. What you keep here stays.');
  document.body.replaceChild(page, document.getElementById('app'));
})();
