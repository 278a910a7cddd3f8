import { defineProblem } from '../../../base/problem.ts'
import { findAceName } from '../../../core/documents/rights/prepare-aces.ts'
import { principalIn } from '../../../core/references.ts'
import type { Session } from '../../../core/session.ts'
import { grant } from '../../../model/rights/acl.ts'
import { everyone } from '../../../model/rights/principal.ts'

// Whom a task can be for. Each of them who is known has an entry of their own on the task, its workflow and its documents.

export const tooManyToAsk = defineProblem(
  'tooManyToAsk',
  'invalid',
  (of: { named: number; max: number }) =>
    `A task, or a node of a workflow, is for ${of.max} at most, not for ${of.named}. Name a group.`,
)

export const tooManyRights = defineProblem(
  'tooManyRights',
  'invalid',
  (of: { people: number; documents: number; max: number }) =>
    `To ask ${of.people} about ${of.documents} documents takes ${of.people * of.documents} entries of rights, and there may be ${of.max} at once. Name a group, or start several workflows.`,
)

export const everybodyAsked = defineProblem(
  'everybodyAsked',
  'invalid',
  (_: object) =>
    `A task cannot be for ${everyone}: all would get its rights on the documents, and nobody could complete it. Name a group, such as members.`,
)

export const askedNameTooLong = defineProblem(
  'askedNameTooLong',
  'invalid',
  (of: { name: string; max: number }) =>
    `The name ${of.name.slice(0, 40).toWellFormed()}… of somebody to ask has more than ${of.max} characters.`,
)

const maxAsked = 500
const longestName = 1_000
const maxRights = 10_000

/** However often it says that a user or a group follows. */
function bareName(name: string): string {
  return name
    .trim()
    .replace(/^((user|group):)+/, '')
    .trim()
}

/** @throws tooManyToAsk, tooManyRights, everybodyAsked, askedNameTooLong */
export function requireAskable(names: readonly string[], documents = 0): void {
  const people = names.length
  if (people > maxAsked) throw tooManyToAsk({ named: people, max: maxAsked })
  if (people * documents > maxRights) throw tooManyRights({ people, documents, max: maxRights })
  if (names.some((name) => bareName(name) === everyone)) throw everybodyAsked({})
  const long = names.find(({ length }) => length > longestName)
  if (long !== undefined) throw askedNameTooLong({ name: long, max: longestName })
}

/** Those of the names that entries may be written for now, without `user:` or `group:`: of users, groups and guests. */
export async function knownAmong(session: Session, names: readonly string[]): Promise<ReadonlySet<string>> {
  const bare = [...new Set(names.map(principalIn))]
  const known = await Promise.all(bare.map(async (name) => (await findAceName(session, grant(name, 'Read'))) === name))
  return new Set(bare.filter((_, index) => known[index]))
}
