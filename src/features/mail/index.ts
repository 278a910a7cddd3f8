import { definePlugin } from '../../plugin/define-plugin.ts'
import { documentUrlSettings } from '../../rest/document-url.ts'
import type { Services } from '../../rest/services.ts'
import { serverSettings } from '../../settings/server-settings.ts'
import type { MailRules } from './compose.ts'
import { deadLetterRoutes } from './dead-letter-routes.ts'
import { documentMail } from './document-mail.ts'
import { addressMailJob, sendMailJob } from './mail-jobs.ts'
import { type MailValues, mailSettings } from './settings.ts'
import { createTemplates } from './template-files.ts'
import { createTransport } from './transport.ts'
import { createUnsubscribeLinks } from './unsubscribe-link.ts'

export { mostOf, orderForEach } from './mail-jobs.ts'
export { type DigestItem, mailAddress, mailPrincipals, orderMail, type TemplateMail } from './mail-order.ts'
export { countMails, requireMailRate } from './mail-rate.ts'
export { displayName, listReceivers } from './receivers.ts'
export { verifyMailServer } from './transport.ts'
export { createUnsubscribeLinks, type UnsubscribeRequest, unsubscribePath } from './unsubscribe-link.ts'

/** Mail to people: what others order in their transactions is made from templates and sent by jobs. */
export default definePlugin({
  name: 'mail',
  requires: ['user-profile', 'guests'],
  settings: mailSettings,
  contribute(values, services) {
    const transport = createTransport(values, {
      log: () => services.log,
      stopping: () => stoppingOf(services),
      folder: () => values.mailFolder ?? `${services.valuesOf(serverSettings).data}/mail`,
    })
    const rules = rulesOf(values, services, transport.sender)
    return {
      operations: [documentMail(rules)],
      routes: deadLetterRoutes(services),
      jobs: [sendMailJob(rules, transport), addressMailJob(services)],
    }
  },
})

function rulesOf(values: MailValues, services: Services, sender: MailRules['sender']): MailRules {
  const { mailUrl, mailTemplates, mailLanguage, mailSubjectPrefix } = values
  return {
    services,
    sender,
    templates: createTemplates(mailTemplates, mailLanguage),
    links: createUnsubscribeLinks(services),
    baseUrl: mailUrl.endsWith('/') ? mailUrl : `${mailUrl}/`,
    subjectPrefix: () => services.vendored(mailSubjectPrefix),
    documentUrlPattern: () => services.valuesOf(documentUrlSettings).documentUrlPattern,
  }
}

/** All repositories of a server stop together. */
function stoppingOf({ repositories }: Services): AbortSignal {
  const [first] = repositories.values()
  if (first === undefined) throw new Error('There is no repository.')
  return first.stopping.signal
}
