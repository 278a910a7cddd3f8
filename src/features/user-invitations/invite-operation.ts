import { defineOperation } from '../../automation/operation.ts'
import { defaulted, optional } from '../../automation/parameter.ts'
import { stringifyJson } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import { readBody } from '../../rest/payload/declared-input.ts'
import { parseUser, readUserSchema, userBody } from '../people/index.ts'
import type { ValidationMethod } from './invitation-request.ts'
import { inviteUser } from './invite-user.ts'

const methods: readonly ValidationMethod[] = ['EMAIL', 'NONE']

export const unknownValidation = defineProblem(
  'unknownValidation',
  'invalid',
  (of: { method: string }) => `There is no validation method ${of.method.slice(0, 100)}. Use ${methods.join(' or ')}.`,
)

export const inviteOperation = defineOperation({
  id: 'User.Invite',
  category: 'Users & Groups',
  description: 'Asks somebody in, who then chooses a password. Gives the id of the request.',
  effect: 'writes',
  params: {
    validationMethod: defaulted('validationmethod', 'EMAIL', {
      values: methods,
      description: 'EMAIL sends a link; NONE makes the account at once, without a password',
    }),
    autoAccept: defaulted('boolean', true, { description: 'False leaves the decision to somebody else' }),
    info: optional('map', { description: 'For whoever writes the mail' }),
    comment: optional('string'),
  },
  run: ({ on }) => [
    on('platformprincipal', 'string', (sent, { session, params, context }) => {
      const { autoAccept, comment, info = {} } = params
      const user = parseUser(readBody(userBody, sent), readUserSchema(session))
      const options = {
        validationMethod: parseMethod(params.validationMethod),
        autoAccept,
        info: textsOf(info),
        ...(comment !== undefined && { comment }),
      }
      return context.directories.write((home) => inviteUser(home, context.services, user, options))
    }),
  ],
})

/** @throws unknownValidation */
function parseMethod(text: string): ValidationMethod {
  const method = methods.find((one) => one === text.toUpperCase())
  if (method === undefined) throw unknownValidation({ method: text })
  return method
}

function textsOf(info: JsonObject): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(info).map(([name, value]) => [name, typeof value === 'string' ? value : stringifyJson(value)]),
  )
}
