import { defineProblem } from '../../base/problem.ts'
import type { Repository } from '../../core/session.ts'
import type { Services } from '../../rest/services.ts'
import type { Job } from '../../store/jobs.ts'
import { type OrderedMail, sendMailKind } from './mail-order.ts'

/** A mail that was given up: its server refused it, or did not answer for two days. Nothing of what it says is told. */
export interface DeadLetter {
  readonly repository: string
  readonly id: string
  /** The name of its template; null where somebody wrote it. */
  readonly template: string | null
  readonly to: readonly string[]
  readonly subject: string | null
  readonly documentId: string | null
  /** Who caused it. */
  readonly actor: string
  readonly attempts: number
  readonly error: string
}

export const deadLetterNotFound = defineProblem(
  'deadLetterNotFound',
  'notFound',
  (of: { repository: string; id: string }) =>
    `There is no mail ${of.id.slice(0, 50)} in ${of.repository.slice(0, 50)} that was given up. Look at the list: it may have been sent by now.`,
)

type Repositories = Pick<Services, 'repositories'>

/** Of all repositories, the oldest first. */
export async function listDeadLetters({ repositories }: Repositories, limit: number): Promise<readonly DeadLetter[]> {
  const letters: DeadLetter[] = []
  for (const { name, store } of repositories.values()) {
    const parked = await store.reader.jobs.list({ kind: sendMailKind, state: 'parked' }, limit - letters.length)
    letters.push(...parked.map((job) => deadLetterOf(name, job)))
  }
  return letters
}

export async function countDeadLetters({ repositories }: Repositories): Promise<number> {
  const counts = [...repositories.values()].map(({ store }) => store.reader.jobs.countParked(sendMailKind))
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

/** Has it sent anew, as often as a new one. @throws deadLetterNotFound */
export async function resendDeadLetter(services: Repositories, repository: string, id: string): Promise<void> {
  await change(services, repository, id, ({ store }) => store.transact((tx) => tx.jobs.resume(sendMailKind, id)))
}

/** @throws deadLetterNotFound */
export async function removeDeadLetter(services: Repositories, repository: string, id: string): Promise<void> {
  await change(services, repository, id, ({ store }) => store.transact((tx) => tx.jobs.discard(sendMailKind, id)))
}

async function change(
  { repositories }: Repositories,
  name: string,
  id: string,
  changed: (repository: Repository) => Promise<boolean>,
): Promise<void> {
  const repository = repositories.get(name)
  const isNumber = /^\d{1,15}$/.test(id)
  if (repository === undefined || !isNumber || !(await changed(repository))) throw deadLetterNotFound({ repository: name, id })
}

function deadLetterOf(repository: string, { id, payload, attempts, error, owner }: Job): DeadLetter {
  const mail = payload as OrderedMail
  const shared = { repository, id, attempts, error: error ?? '', actor: owner }
  if (mail.kind === 'written') {
    const to = [...mail.to, ...mail.cc, ...mail.bcc].map(({ address }) => address)
    return { ...shared, template: null, to, subject: mail.subject, documentId: null }
  }
  const { receiver, template, documentId } = mail
  return { ...shared, template, to: ['user' in receiver ? `user:${receiver.user}` : receiver.address], subject: null, documentId }
}
