/**
 * Loaded before Playwright (`NODE_OPTIONS=--import`). It always tells Firefox which colours and motion a page prefers, which
 * Firefox 153 does not know yet: no page could be opened. And it finds the elements for `evaluateAll` in the page's own world,
 * where Firefox crashes; here it does so in the world beside it, as it does for everything else. It types into fields by a
 * setter that React watches, which then takes the event for one without a change; here by the browser's own.
 */
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/playwright-core/lib/coreBundle.js')) return loaded
    const source = String(loaded.source)
      .replaceAll(
        /send\("emulation\.setMediaFeaturesOverride", \{[^]*?\}\)(?=;)/g,
        '$&.catch(() => undefined)',
      )
      .replace('{ selector, mainWorld: true, strict: false, scope }', '{ selector, strict: false, scope }')
      .replaceAll(
        /inputElement\.value (\+?)= (value|text);/g,
        (_, plus, text) =>
          `Reflect.set(Object.getPrototypeOf(inputElement), 'value', ${plus && 'inputElement.value + '}${text}, inputElement);`,
      )
    return { ...loaded, source }
  },
})
