/** Application ids in addresses. */

const APPID_MAX = 4_294_967_295

/** The appid in the path; undefined if it cannot be one. */
export function appidOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) && Number(text) <= APPID_MAX
    ? Number(text)
    : undefined
}
