import { account, operatorAddress } from './cast.ts'
import { addressText, type Dialect } from './dialect.ts'

/** What somebody may write where a whole number is expected. */
export const integers: readonly string[] = [
  ...['', '0', '-0', '-1', '1', '2', '1000000', '-1000000', '1.5', '1e3', ' 1', '1 ', '0x1', '-0X1f', '0b11'],
  ...[
    '0o17',
    '017',
    '08',
    '00',
    '1_000',
    '_1',
    '1__0',
    '0_1',
    '0x_1',
    '+5',
    '--5',
    '+-5',
    '-',
    'one',
    '٣',
    'NaN',
  ],
  ...['1\n', '1\0', '1,000', '1stake', `${2n ** 63n - 1n}`, `${2n ** 63n}`, `${2n ** 64n}`, `${10n ** 18n}`],
  ...[`${10n ** 18n + 1n}`, `${-(10n ** 18n)}`, `${2n ** 255n}`, `${2n ** 256n - 1n}`, `${2n ** 256n}`],
  ...[
    `${-(2n ** 256n)}`,
    `${2n ** 315n - 1n}`,
    `${2n ** 315n}`,
    `-${2n ** 315n}`,
    '9'.repeat(300),
    '0'.repeat(300),
  ],
]

/** What somebody may write where a decimal is expected as text. */
export const decimals: readonly string[] = [
  ...[
    '',
    '0',
    '-0',
    '0.0',
    '0.5',
    '-0.5',
    '1',
    '1.0',
    '1.000000000000000001',
    '1.5',
    '-1',
    '2',
    '.5',
    '5.',
    '.',
    '-',
  ],
  ...['0.1234567890123456789', '1e0', '0x1', '+0.5', '--1', ' 0.5', '0,5', '1_0', 'half', '9'.repeat(300)],
  ...[`${2n ** 256n}`, '0.0000000000000000000', '0.000000000000000001', '00.5', '1.-5', '1.+5'],
]

/** Numbers of a varint, as unsigned 64 bits. */
export const varints: readonly bigint[] = [
  ...[
    0n,
    1n,
    2n,
    3n,
    4n,
    5n,
    99n,
    2n ** 31n - 1n,
    2n ** 31n,
    2n ** 32n,
    2n ** 32n + 1n,
    2n ** 63n - 1n,
    2n ** 63n,
  ],
  ...[
    2n ** 64n - 1n,
    2n ** 64n - 1_000_000n,
    315_576_000_000n,
    315_576_000_001n,
    9_223_372_036n,
    9_223_372_037n,
  ],
  999_999_999n,
  1_000_000_000n,
]

export const texts: readonly string[] = [
  ...[
    '',
    ' ',
    'x',
    '[do-not-modify]',
    'x'.repeat(70),
    'x'.repeat(71),
    'x'.repeat(141),
    'é'.repeat(71),
    'x'.repeat(281),
  ],
  ...[
    'x'.repeat(3001),
    'x'.repeat(10_201),
    '\0',
    '\u2028\u{1f600}',
    '<&>"\\\n',
    'stake',
    'photon',
    'afrx',
    'STAKE',
    'st',
  ],
  ...['ibc/ABC', 'x'.repeat(128), 'x'.repeat(129), '1stake', 'sta ke', '{"title":5}'],
]

export const blobs: readonly Uint8Array[] = [
  ...[0, 1, 20, 31, 32, 33, 64].map((length) => new Uint8Array(length).fill(7)),
  new Uint8Array([0xff, 0xfe]),
]

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(3)
const other = (d: Dialect): Dialect => (d === 'cosmos' ? 'fornax' : 'cosmos')
const broken = (text: string): string => text.slice(0, -1) + (text.endsWith('q') ? 'p' : 'q')

/** What somebody may write where an address is expected. */
export const addresses: readonly ((d: Dialect) => string)[] = [
  ...['', ' ', 'nobody', 'cosmos1', 'alice'].map((text) => () => text),
  ...[
    'alice',
    'bob',
    'val1',
    'nobody',
    'module:gov',
    'module:distribution',
    'module:bonded_tokens_pool',
  ].flatMap((name) => [(d: Dialect) => account(d, name), (d: Dialect) => operatorAddress(d, name)]),
  (d) => operatorAddress(d, 'val2'),
  (d) => operatorAddress(other(d), 'val1'),
  (d) => account(other(d), 'alice'),
  (d) => account(d, 'alice').toUpperCase(),
  (d) => operatorAddress(d, 'val1').toUpperCase(),
  (d) => account(d, 'alice').replace(/^./, (c) => c.toUpperCase()),
  (d) => broken(account(d, 'alice')),
  (d) => `${account(d, 'alice')} `,
  (d) => ` ${account(d, 'alice')}`,
  (d) => account(d, 'alice').slice(0, -3),
  (d) => addressText(d, bytes(20), 'valcons'),
  ...[0, 1, 19, 21, 32, 255, 256].flatMap((length) => [
    (d: Dialect) => addressText(d, bytes(length)),
    (d: Dialect) => addressText(d, bytes(length), 'valoper'),
  ]),
]
