/** What the simulator answers to one request, before faults and latency have their say. */
export type Reply = {
  status: number
  headers: Record<string, string>
  body: string
}

/** JSON, as the platform labels it. */
export function json(value: unknown, status = 200): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    body: JSON.stringify(value),
  }
}

/** HTML; the platform says its errors in it. */
export function html(body: string, status = 200): Reply {
  return { status, headers: { 'content-type': 'text/html; charset=UTF-8' }, body }
}

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
}

/** An error page in the platform's layout; `text` is trusted markup. */
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

/** Sends the browser elsewhere. */
export function redirect(location: string): Reply {
  return { status: 302, headers: { location }, body: '' }
}

const MARKUP: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text made safe to stand in HTML or SVG; characters that XML cannot hold become blanks. */
export function escapeMarkup(plain: string): string {
  return plain
    .toWellFormed()
    .replace(/\p{Cc}|[\uFFFE\uFFFF]/gu, ' ')
    .replace(/[&<>"']/g, (character) => MARKUP[character]!)
}
