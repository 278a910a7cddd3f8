import { type IsoDate, isoDate, isWritable } from '../../base/iso-date.ts'
import { defineProblem } from '../../base/problem.ts'
import { type Ace, wholeSeconds } from './acl.ts'

export const invalidAceId = defineProblem(
  'invalidAceId',
  'invalid',
  (of: { id: string }) =>
    `Invalid ACE id: ${of.id}. It is username:permission:granted:creator:begin:end, the last three may be empty.`,
)

/** `username:permission:granted:creator:beginMs:endMs`, empty parts for nulls. */
export function aceId(ace: Ace): string {
  const milliseconds = (date: IsoDate | null) => (date === null ? '' : String(Date.parse(date)))
  return [ace.username, ace.permission, ace.granted, ace.creator ?? '', milliseconds(ace.begin), milliseconds(ace.end)].join(':')
}

// Read from the right: a user name may contain colons.
const shape = /^(.+):([^:]+):([^:]+):([^:]*):([^:]*):([^:]*)$/s

/** The entry that an id names. @throws invalidAceId */
export function parseAceId(id: string): Ace {
  const parts = shape.exec(id)
  if (parts === null) throw invalidAceId({ id })
  const [, username = '', permission = '', granted, creator, begin = '', end = ''] = parts
  return wholeSeconds({
    username,
    permission,
    granted: granted?.toLowerCase() === 'true',
    creator: creator || null,
    begin: momentOf(id, begin),
    end: momentOf(id, end),
  })
}

function momentOf(id: string, milliseconds: string): IsoDate | null {
  if (milliseconds === '') return null
  const date = new Date(/^-?\d+$/.test(milliseconds) ? Number(milliseconds) : Number.NaN)
  if (!isWritable(date)) throw invalidAceId({ id })
  return isoDate(date)
}

/** Finds by id, also where the creator's name contains colons and so cannot be told from the parts around it. */
export function hasAceId(id: string): (ace: Ace) => boolean {
  const written = aceId(parseAceId(id))
  return (ace) => aceId(ace) === id || aceId(ace) === written
}
