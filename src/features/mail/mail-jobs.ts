import { newId } from '../../base/ids.ts'
import { systemAccess } from '../../core/access.ts'
import type { JobHandler } from '../../core/jobs/worker.ts'
import type { Repository } from '../../core/session.ts'
import type { Services } from '../../rest/services.ts'
import { composeMail, type MailRules } from './compose.ts'
import { type AddressedMail, addressMailKind, type OrderedMail, sendMailKind, type TemplateMail } from './mail-order.ts'
import { listReceivers } from './receivers.ts'
import { connectionsAtOnce, type MailTransport } from './transport.ts'

/** About two days: twelve delays that double, which pass an hour, and then one attempt an hour. */
const attempts = 60
const orderedAtOnce = 200
/** More than any mail is meant for; what was meant for more is cut and said so. */
const mostReceivers = 100_000

/** Sends one mail, to those who may still have it. Apart from other jobs, as servers of mail may take their time. */
export function sendMailJob(rules: MailRules, transport: MailTransport): JobHandler {
  return {
    kind: sendMailKind,
    maxAttempts: attempts,
    // No more than there are connections: none waits for one after it was found out who may have it.
    ownWorkers: connectionsAtOnce,
    async run(payload, repository) {
      const mail = payload as OrderedMail
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
  }
}

/** Finds out who is meant and orders a mail for each, a few in a transaction, so that no request waits for long. */
export function addressMailJob(services: Services): JobHandler {
  return {
    kind: addressMailKind,
    async run(payload, repository) {
      const { to, ...mail } = payload as AddressedMail
      const people = { principals: services.principals, directories: services.directories.store.reader.directories }
      const users = await listReceivers(people, to)
      await orderForEach(repository, users, (user) => ({
        ...mail,
        ...unsubscribable,
        kind: 'template',
        id: newId(),
        receiver: { user },
      }))
    },
  }
}

const unsubscribable = { subscription: null, items: null }

/** Orders a mail for each of the users. Those of one user who caused many wait behind each other, not before those of others. */
export async function orderForEach(
  repository: Repository,
  users: readonly string[],
  mailTo: (user: string) => TemplateMail,
): Promise<void> {
  if (users.length > mostReceivers)
    repository.log.warn({ event: 'mail.cut', receivers: users.length, most: mostReceivers }, 'a mail has too many receivers')
  const meant = users.slice(0, mostReceivers)
  for (let first = 0; first < meant.length; first += orderedAtOnce) {
    await systemAccess(repository).write(async ({ tx }) => {
      for (const user of meant.slice(first, first + orderedAtOnce)) {
        const mail = mailTo(user)
        await tx.jobs.add(sendMailKind, mail, { owner: mail.actor })
      }
    })
  }
}
