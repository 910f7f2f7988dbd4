/**
 * Loaded before Playwright (`NODE_OPTIONS=--import`): it always tells Firefox which colours and motion a page prefers, which
 * Firefox 153 does not know yet; without this no page could be opened.
 */
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/playwright-core/lib/coreBundle.js')) return loaded
    const source = String(loaded.source).replaceAll(
      /send\("emulation\.setMediaFeaturesOverride", \{[^]*?\}\)(?=;)/g,
      '$&.catch(() => undefined)',
    )
    return { ...loaded, source }
  },
})
