/** A picture of 24 by 24, made of a few shapes. */
type Drawing = string

const ink = '#41505f'
const paper = '#ffffff'
const page: Drawing = `<path d="M5 2.5h9l5 5v14H5z" fill="${paper}" stroke="${ink}"/>`

/** The pictures behind the names that documents hold in `common:icon`, without the ending. */
const drawings: ReadonlyMap<string, Drawing> = new Map([
  ...places(),
  ...media(),
  ...texts(),
  ...officeFiles(),
  ['application', sheet('#7a8794', '')],
  ['zip', sheet('#9a7b3f', 'ZIP')],
  ['tar', sheet('#9a7b3f', 'TAR')],
  ['delivery', sheet('#5a9bd4', 'DOC')],
  ['htmlView', sheet('#7cb36b', 'HTML')],
  ['zip_export', sheet('#9a7b3f', 'ZIP')],
  ['zip_tree_export', folder('#9a7b3f')],
])

/**
 * The picture that an address below `/icons/` means. What is drawn here are lines, whatever the ending says: browsers go by the type
 * of the answer.
 */
export function findDrawing(fileName: string): string | undefined {
  const [, name = ''] = /^(\w+)\.(?:png|gif|svg)$/.exec(fileName) ?? []
  const shapes = drawings.get(name)
  return shapes && `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">${shapes}</svg>`
}

function places(): readonly (readonly [name: string, drawing: Drawing])[] {
  const line = `fill="none" stroke="${ink}" stroke-width="1.5" stroke-linecap="round"`
  return [
    ['folder', folder('#e8b84a')],
    ['ordered_folder', folder('#e8b84a', `<path d="M7 12h10M7 15h7M7 18h4" ${line}/>`)],
    ['folder_template', folder('#d9dee3', `<path d="M8 12h8v6H8z" ${line} stroke-dasharray="2 2"/>`)],
    ['workspace', folder('#5a9bd4')],
    ['section', folder('#7cb36b')],
    [
      'domain',
      `<path d="M4 20V9l8-5 8 5v11z" fill="#5a9bd4" stroke="${ink}"/><path d="M10 20v-6h4v6z" fill="${paper}" stroke="${ink}"/>`,
    ],
    [
      'retention_rule',
      `${page}<circle cx="14" cy="15" r="5.5" fill="#f2c14e" stroke="${ink}"/><path d="M14 12v3l2 1.5" ${line}/>`,
    ],
    ['sourcetemplate', `${page}<path d="M8 11h8M8 14h3M13 14h3M8 17h5" ${line} stroke-dasharray="3 1.5"/>`],
    ['collection', stack('#c98bc4', 2)],
    ['collections', stack('#c98bc4', 3)],
    [
      'favorites',
      `<path d="M12 3l2.8 5.9 6.2.8-4.6 4.4 1.2 6.4-5.6-3.1-5.6 3.1 1.2-6.4L3 9.7l6.2-.8z" fill="#f2c14e" stroke="${ink}"/>`,
    ],
  ]
}

function media(): readonly (readonly [name: string, drawing: Drawing])[] {
  const note = `<path d="M10 17V8l6-1.5v8.5" fill="none" stroke="${ink}" stroke-width="1.5"/><circle cx="8.5" cy="17" r="1.8" fill="${ink}"/><circle cx="14.5" cy="15.5" r="1.8" fill="${ink}"/>`
  return [
    [
      'image',
      framed('#8fc1e3', '<path d="M4 18l5-6 4 4 3-3 4 5z" fill="#5b8c5a"/><circle cx="16.5" cy="8.5" r="2" fill="#f2c14e"/>'),
    ],
    ['video', framed('#4b5a6a', `<path d="M10 8.5l6 3.5-6 3.5z" fill="${paper}"/>`)],
    ['audio', framed('#e6d3ea', note)],
    ['wav', framed('#e6d3ea', note)],
  ]
}

function texts(): readonly (readonly [name: string, drawing: Drawing])[] {
  const lines = `<path d="M8 10h8M8 13h8M8 16h5" fill="none" stroke="${ink}" stroke-width="1.2"/>`
  return [
    ['file', sheet('#7a8794', '')],
    ['note', `${page}<path d="M13 3v5h6" fill="#f6e08a" stroke="${ink}"/>${lines}`],
    ['text', `${page}${lines}`],
    ['email', framed('#f3efe3', `<path d="M4 7l8 6 8-6" fill="none" stroke="${ink}" stroke-width="1.2"/>`)],
    ...labelled('#4f7a9c', ['xml', 'py', 'java']),
    ...labelled('#3f8f5f', ['csv']),
  ]
}

/** A sheet with what kind it is written on it, in the colour of what one does with it: write, count, show, draw, print. */
function officeFiles(): readonly (readonly [name: string, drawing: Drawing])[] {
  return [
    ['word', sheet('#2f6fb3', 'DOC')] as const,
    ['visio', sheet('#6b5fb0', 'VSD')] as const,
    ...labelled('#2f6fb3', ['docx', 'odt', 'ott', 'sxw', 'stw', 'wpd']),
    ...labelled('#3f8f5f', ['xls', 'xlsx', 'ods', 'ots', 'sxc', 'stc']),
    ...labelled('#d0743c', ['ppt', 'pptx', 'odp', 'otp', 'sxi', 'sti']),
    ...labelled('#6b5fb0', ['odg', 'otg', 'sxd', 'std', 'mpp', 'pub']),
    ...labelled('#c0453f', ['pdf', 'ps']),
  ]
}

function labelled(colour: string, names: readonly string[]): readonly (readonly [name: string, drawing: Drawing])[] {
  return names.map((name) => [name, sheet(colour, name.toUpperCase())])
}

function sheet(colour: string, label: string): Drawing {
  const fold = `<path d="M14 2.5v5h5" fill="none" stroke="${ink}"/>`
  const text = `<text x="12" y="17.5" font-family="sans-serif" font-size="${label.length > 3 ? 5 : 6}" font-weight="bold" text-anchor="middle" fill="${paper}">${label}</text>`
  return `${page}${fold}<rect x="3" y="12" width="18" height="8" rx="1" fill="${colour}"/>${label === '' ? '' : text}`
}

function folder(colour: string, inside: Drawing = ''): Drawing {
  return `<path d="M3 6h6l2 2h10v12H3z" fill="${colour}" stroke="${ink}" stroke-linejoin="round"/>${inside}`
}

function stack(colour: string, sheets: number): Drawing {
  const places = Array.from({ length: sheets }, (_, index) => 4 + index * 3)
  return places.map((at) => `<rect x="${at}" y="${at}" width="11" height="11" rx="1" fill="${colour}" stroke="${ink}"/>`).join('')
}

function framed(colour: string, inside: Drawing): Drawing {
  return `<rect x="3" y="5" width="18" height="14" rx="1.5" fill="${colour}" stroke="${ink}"/>${inside}`
}
