/** A response of the simulator, before faults and latency are applied. */
export type Reply = {
  status: number
  headers: Record<string, string>
  body: string
  /** Why the request is refused, as plain text, for a server that writes it in a format of its own. */
  refusal?: string
}

/** JSON with Steam's content type. */
export function json(value: unknown, status = 200): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    body: JSON.stringify(value),
  }
}

/** HTML, the content type of Steam's errors. */
export function html(body: string, status = 200): Reply {
  return { status, headers: { 'content-type': 'text/html; charset=UTF-8' }, body }
}

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
}

/** An error page in Steam's layout; `text` is HTML and is not escaped. */
export function errorPage(status: number, text: string): Reply {
  const title = TITLES[status] ?? `Error ${status}`
  return html(
    `<html><head><title>${title}</title></head><body><h1>${title}</h1>${text}</body></html>`,
    status,
  )
}

/** Plain text. */
export function text(body: string, status = 200): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=UTF-8' }, body }
}

/** A 302 redirect. */
export function redirect(location: string): Reply {
  return { status: 302, headers: { location }, body: '' }
}

const MARKUP: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML and SVG; characters that XML does not allow become spaces. */
export function escapeMarkup(plain: string): string {
  return plain
    .toWellFormed()
    .replace(/\p{Cc}|[\uFFFE\uFFFF]/gu, ' ')
    .replace(/[&<>"']/g, (character) => MARKUP[character]!)
}
