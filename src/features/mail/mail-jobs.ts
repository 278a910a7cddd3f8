import { newId } from '../../base/ids.ts'
import { doForEach } from '../../core/jobs/each-name.ts'
import { defineJob, type JobHandler } from '../../core/jobs/worker.ts'
import type { Repository, WriteSession } from '../../core/session.ts'
import type { Services } from '../../rest/services.ts'
import { composeMail, type MailRules } from './compose.ts'
import { addressMailKind, sendMailKind, type TemplateMail } from './mail-order.ts'
import { listReceivers } from './receivers.ts'
import { connectionsAtOnce, type MailTransport } from './transport.ts'

/** About two days: twelve delays that double, which pass an hour, and then one attempt an hour. */
const attempts = 60
const orderedAtOnce = 200
/** More than any mail is meant for; what was meant for more is cut and said so. */
const mostReceivers = 100_000

/** Sends one mail, to those who may still have it. Apart from other jobs, as servers of mail may take their time. */
export function sendMailJob(rules: MailRules, transport: MailTransport): JobHandler {
  return defineJob({
    kind: sendMailKind,
    maxAttempts: attempts,
    // No more than there are connections: none waits for one after it was found out who may have it.
    ownWorkers: connectionsAtOnce,
    async run(mail, repository) {
      await transport.prepare()
      const composed = await composeMail(rules, repository, mail)
      const about = { mail: mail.id, repository: repository.name }
      if ('unsent' in composed) {
        repository.log.debug({ event: 'mail.unsent', ...about, reason: composed.unsent }, 'mail is not sent: nobody may have it')
        return
      }
      await transport.send(composed)
      repository.log.debug({ event: 'mail.sent', ...about }, 'mail sent')
    },
  })
}

/** Finds out who is meant and orders a mail for each, a few in a transaction, so that no request waits for long. */
export function addressMailJob(services: Services): JobHandler {
  return defineJob({
    kind: addressMailKind,
    async run(payload, repository, _signal, progress) {
      const { to, after: _, ...mail } = payload
      const people = { principals: services.principals, directories: services.directories.store.reader.directories }
      const names = mostOf(repository, await listReceivers(people, to))
      await doForEach(repository, { names, atOnce: orderedAtOnce, payload, progress }, (session, some) =>
        orderForEach(session, some, (user) => ({
          ...mail,
          ...unsubscribable,
          kind: 'template',
          id: newId(),
          receiver: { user },
        })),
      )
    },
  })
}

const unsubscribable = { subscription: null, items: null }

/** As many as one mail is for. */
export function mostOf(repository: Repository, users: readonly string[]): readonly string[] {
  if (users.length > mostReceivers)
    repository.log.warn({ event: 'mail.cut', receivers: users.length, most: mostReceivers }, 'a mail has too many receivers')
  return users.toSorted().slice(0, mostReceivers)
}

/** Orders a mail for each of the users. Those of one user who caused many wait behind each other, not before those of others. */
export async function orderForEach(
  { tx }: WriteSession,
  users: readonly string[],
  mailTo: (user: string) => TemplateMail,
): Promise<void> {
  for (const user of users) {
    const mail = mailTo(user)
    await tx.jobs.add(sendMailKind, mail, { owner: mail.actor })
  }
}
