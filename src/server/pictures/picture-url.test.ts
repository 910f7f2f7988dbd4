/** Which picture URLs are accepted (LIM-4, PIC-2). */
import { describe, expect, test } from 'vitest'
import { newPictureKey, validatePictureUrl } from './pictures.ts'

describe('a picture URL', () => {
  const publicUrl = 'https://games.example.org'

  const key = newPictureKey()
  const validate = (text: string) => validatePictureUrl(text, publicUrl)

  test('LIM-4: of the web is accepted as typed', () => {
    const longest = `https://example.org/${'a'.repeat(2048 - 'https://example.org/'.length)}`
    for (const url of [
      'https://example.org',
      'HTTP://Example.org/Cat.PNG',
      'http://example.org:8080/a.png?size=1&b=%20#part',
      'https://bücher.example/bild.jpg',
      'https://example.org/svg/picture.png?from=a.svg',
      'https://example.org/a..b/...png',
      'http://127.0.0.1:9/a.png',
      longest,
    ])
      expect(validate(url)).toEqual({ kind: 'web', url })
    expect(validate('  https://example.org/a.png ')).toEqual({
      kind: 'web',
      url: 'https://example.org/a.png',
    })
  })

  test('LIM-4: of a picture on this server is recognised, with and without the origin', () => {
    expect(validate(`/media/${key}`)).toEqual({ kind: 'ours', key })
    expect(validate(`${publicUrl}/media/${key}`)).toEqual({ kind: 'ours', key })
    expect(validate(`https://elsewhere.example/media/${key}`)).toMatchObject({ kind: 'web' })
  })

  test('LIM-4, PIC-2: of any other form is refused, naming the field', () => {
    const refused = [
      ...['', '   ', 'picture.png', 'example.org/a.png', '/', '/a.png', '#', '?'],
      ...['//example.org/a.png', '///example.org/a.png', '/\\example.org/a.png', '\\\\example.org\\a.png'],
      ...[
        'http:example.org/a.png',
        'http:/example.org/a.png',
        'http:///example.org/a.png',
        'https:\\\\a.b/c',
      ],
      ...['http://', 'https://?a', 'http://#a', 'http://exa mple.org/', 'http://[::1', 'http://a.b:99999/'],
      ...[
        'javascript:alert(1)',
        'JavaScript://example.org/%0aalert(1)',
        'vbscript:x',
        'ftp://example.org/a.png',
      ],
      ...['data:image/png;base64,AAAA', 'blob:https://example.org/1', 'file:///etc/passwd', 'steam://run/1'],
      ...['https://user:word@example.org/a.png', 'https://user@example.org/', 'https://@example.org/a.png'],
      ...[`https://user@games.example.org/media/${key}`, 'https://:@example.org/'],
      ...['https://example.org/a.svg', 'https://example.org/A.SVG?x=1', 'https://example.org/a.svgz#b'],
      ...['https://example.org/a%2Esvg', 'https://example.org/a.s%76g', 'https://example.org/a.svg/'],
      ...['https://example.org/a\nb.png', 'https://example.org/\u0000', 'https://example.org/a b.png'],
      ...['https://exam\u200bple.org/', 'https://example.org/\u202egnp.a', 'java\tscript:alert(1)'],
      ...['https://example.org/../a.png', 'https://example.org/media/%2e%2E/a.png', 'https://example.org/.'],
      ...[
        `/media/../media/${key}`,
        `/media/./${key}`,
        `/media//${key}`,
        `/media/${key}/..`,
        '/media/',
        '/media',
      ],
      ...[
        `/media/${key}?x`,
        `/media/${key}#x`,
        `/media/${key.toUpperCase()}`,
        `/media/${key}%00`,
        `media/${key}`,
      ],
      ...[`/media/%2e%2e/${key}`, `/MEDIA/${key}`],
      ...[publicUrl, `${publicUrl}/api/users/1/games`, `${publicUrl}/media/../api/groups`],
      ...[`${publicUrl}//media/${key}`, `${publicUrl}/media/${key}?x`],
      `https://example.org/${'a'.repeat(2049 - 'https://example.org/'.length)}`,
    ]
    const accepted: string[] = []
    for (const text of refused)
      try {
        validate(text)
        accepted.push(text)
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_picture_url', status: 400, field: 'picture_url' })
      }
    expect(accepted).toEqual([])
  })
})

describe('a URL with very many blanks', () => {
  test('is refused quickly', () => {
    const validating = () =>
      validatePictureUrl(`http://a${' '.repeat(100_000)}b`, 'https://games.example.org')
    expect(validating).toThrow(expect.objectContaining({ code: 'invalid_picture_url' }))
  })
})
