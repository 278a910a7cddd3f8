import { hash } from 'node:crypto'
import { maxSegmentLength } from '../../model/path-segment.ts'
import { sanitisedText } from '../../model/properties/value-bounds.ts'

const marked = /[~/\\?&;@]/g
const tailLength = 8
/** Where names were cut before there was a setting for it. */
const formerMaxLength = 30

/** The name of a user's workspace: characters that mean something in an address become `~` and their code. */
export function workspaceName(user: string): string {
  return user.replace(marked, (character) => `~${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** The one user whose workspace has this name today. */
export function userNamed(name: string): string {
  return name.replace(/~([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/**
 * All the names under which a workspace of the user may be, the one it has today first. Earlier servers kept only letters and
 * digits and cut them, so that several users could come to one name; the others then got a piece of a digest for a tail.
 */
export function workspaceNames(user: string, maxLength: number): readonly string[] {
  const tail = hash('sha1', user).slice(0, tailLength)
  const former = [maxLength, formerMaxLength].flatMap((length) => {
    const slug = slugOf(user).slice(0, length)
    return [slug, `${slug.slice(0, -tailLength)}${tail}`]
  })
  return [...new Set([workspaceName(user), ...former].map(storedName))].filter(isUsable)
}

/** Letters without their accents and digits; whatever is between them becomes one dash. */
function slugOf(user: string): string {
  const plain = user.normalize('NFKD').replace(/\p{M}/gu, '')
  return plain.replace(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '')
}

/** As the repository keeps it. */
function storedName(name: string): string {
  return sanitisedText(name).normalize('NFC')
}

function isUsable(name: string): boolean {
  return name.trim() !== '' && name !== '.' && name !== '..' && name.length <= maxSegmentLength
}
