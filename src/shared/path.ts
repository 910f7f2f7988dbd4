/**
 * The path of an endpoint with its parameters filled in and percent-encoded.
 * @throws RangeError if a parameter of the path is missing
 */
export function pathOf(path: string, params: Record<string, string | number>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new RangeError(`${path} needs the parameter ${name}`)
    return encodeURIComponent(String(value))
  })
}
