/** Invented display names: some memorable, some unusual enough to reveal bugs, the rest combined from parts. */

/** Names of the first players on the sign-in page. */
const WELL_CONNECTED = [
  ...['Mira', 'Jonas K.', 'tin_kettle', 'Fable', 'Okapi', 'Noor', 'Bento', 'halfpast9', 'Saoirse', 'Ruben'],
  ...['Quill', 'Ivo the Brave'],
]

/** Unusual names that Steam allows; none is longer than its 32 characters. */
const ODD = [
  ...[
    '🦊 vixen 🦊',
    '💉Nettle',
    '☰☰ Lantern ✈',
    '𝕸𝖔𝖗𝖜𝖊𝖓',
    'Ｗｉｄｅ Ｌｏａｆ',
    'Тихий Ёж',
    '风筝 ☂ Kite',
    'そらいろネコ',
  ],
  ...[
    '김고래',
    'مرجان',
    'שקט',
    'Ünal Çığ',
    'naïve façade',
    "O'Marrow",
    '"quoted"',
    '<b>bold</b>',
    '&amp; co',
  ],
  ...[
    '<script>alert(1)</script>',
    'Tom & Jerome',
    'back\\slash',
    'a',
    '0',
    '  leading space',
    'double  space',
  ],
  ...[
    'dots...',
    '---',
    '100%',
    'semi;colon,comma',
    'Z͑ͫ̓ͪ̂ͫ̽͏a̴l͔̖g',
    '👨‍👩‍👧‍👦 family',
    '🏴‍☠️ Jib',
    'e\u0301clair',
    '\u202Ereversed',
  ],
  ...[
    'zero\u200Bwidth',
    '\u200B',
    'ThirtyTwoCharactersLongNickName!',
    'ThirtyTwoWideCharactersＷＷＷＷＷＷＷＷＷ',
  ],
  ...[
    'null',
    'undefined',
    '__proto__',
    "'; DROP TABLE users;--",
    '=1+1',
    '{{mustache}}',
    '%s %d',
    'ﷺ',
    'I/İ/ı dotless',
  ],
]

const PREFIXES = [
  ...[
    'Night',
    'Pixel',
    'Turbo',
    'Sleepy',
    'Captain',
    'Doctor',
    'Mossy',
    'Salty',
    'Cosmic',
    'Rusty',
    'Velvet',
  ],
  ...['Quiet', 'Angry', 'Lucky', 'Frosty', 'Crispy', 'Wobbly', 'Iron', 'Paper', 'Copper', 'Misty', 'Dusty'],
]
const SUFFIXES = [
  ...['Owl', 'Otter', 'Badger', 'Moth', 'Heron', 'Toast', 'Noodle', 'Wizard', 'Pirate', 'Goblin', 'Walrus'],
  ...[
    'Lynx',
    'Pickle',
    'Raven',
    'Comet',
    'Turnip',
    'Biscuit',
    'Gecko',
    'Falcon',
    'Marmot',
    'Kettle',
    'Stoat',
  ],
]
const GIVEN = [
  ...['Ada', 'Bela', 'Caro', 'Davit', 'Elif', 'Finn', 'Greta', 'Hana', 'Ines', 'Jun', 'Kofi', 'Lena', 'Milo'],
  ...['Nia', 'Oskar', 'Petra', 'Rafa', 'Sanna', 'Timo', 'Uma', 'Vera', 'Wim', 'Yara', 'Zoe'],
]

/** `count` different names: first {@link WELL_CONNECTED}, then every sixth one from {@link ODD} while there are any. */
export function demoNames(count: number, random: () => number): string[] {
  const names = new Set(WELL_CONNECTED)
  const odd = [...ODD]
  while (names.size < count) names.add((names.size % 6 === 5 ? odd.shift() : undefined) ?? invented(random))
  return [...names].slice(0, count)
}

function invented(random: () => number): string {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)]!
  const number = Math.floor(random() * 100)
  const two = [pick(PREFIXES), pick(SUFFIXES)] as const
  const shapes = [
    () => two.join(''),
    () => two.join(' '),
    () => two.join('_').toLowerCase(),
    () => `${two[1].toLowerCase()}${number}`,
    () => `xX_${two[1]}_Xx`,
    () => `[${two[0].slice(0, 4).toUpperCase()}] ${pick(GIVEN)}`,
    () => `${pick(GIVEN)} ${pick(SUFFIXES)}`,
    () => `${pick(GIVEN).toLowerCase()}.${number}`,
    () => `${pick(GIVEN)}™`,
  ]
  return shapes[Math.floor(random() * shapes.length)]!()
}
