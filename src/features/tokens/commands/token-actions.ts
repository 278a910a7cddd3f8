import { defineProblem } from '../../../base/problem.ts'
import { readActingPrincipal } from '../../../command/acting-principal.ts'
import { type CommandContext, type ExitCode, printResult } from '../../../command/command.ts'
import { table } from '../../../command/table.ts'
import { type Access, systemAccess } from '../../../core/access.ts'
import { homeOf } from '../../../core/blob-gc/known-repositories.ts'
import { Type } from '../../../rest/openapi/schema.ts'
import { readFields } from '../../../rest/payload/declared-input.ts'
import type { Services } from '../../../rest/services.ts'
import { acquireToken, type IssuedToken, listTokens, revokeToken, revokeTokens, type TokenBinding } from '../token-bindings.ts'
import { tokenParameters } from '../token-parameters.ts'
import { configuredSecrets, rotateTokenSecret } from '../token-secrets.ts'

const nothingNamed = defineProblem(
  'noTokenNamed',
  'invalid',
  (_: object) => 'name a token or its id, or say which by --user, --application and --device-id; --all revokes all there are',
)

const namedTwice = defineProblem(
  'tokensNamedTwice',
  'invalid',
  (_: object) => 'a token is either named, or chosen by --user, --application, --device-id and --all',
)

type TokenCall<Options, Operands = unknown> = CommandContext<unknown, Options & { readonly json: boolean }, Operands>

interface BoundBy {
  readonly application: string | undefined
  readonly deviceId: string | undefined
}

interface OpenTokens {
  readonly services: Services
  readonly access: Access
}

/** Opens the tokens for as long as the body runs, in the hands of the server itself: an operator may do everything. */
async function withTokens<Result>(
  { openServices }: Pick<TokenCall<unknown>, 'openServices'>,
  body: (tokens: OpenTokens) => Promise<Result>,
): Promise<Result> {
  const { services, close } = await openServices({ onlyDirectories: true })
  try {
    return await body({ services, access: systemAccess(homeOf(services.repositories)) })
  } finally {
    await close()
  }
}

interface Added extends BoundBy {
  readonly permission: string
  readonly deviceDescription: string | undefined
}

const addedFields = Type.Object({ ...tokenParameters, deviceDescription: Type.Optional(tokenParameters.deviceDescription) })

/** The same checks that a token goes through that is asked for over HTTP. */
export function addToken(call: TokenCall<Added, { readonly user: string }>): Promise<ExitCode> {
  const { json: _, ...options } = call.options
  const given = Object.entries(options).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const { application: applicationName, deviceDescription = null, ...others } = readFields(addedFields, new Map(given))
  return withTokens(call, async ({ services, access }) => {
    const { name: userName } = await readActingPrincipal(services, call.operands.user)
    const wanted = { userName, applicationName, deviceDescription, ...others }
    const token = await access.write((session) => acquireToken(session, services, wanted))
    return printResult(call, { token, ...wanted }, token)
  })
}

export function printTokens(call: TokenCall<BoundBy, { readonly user: string | undefined }>): Promise<ExitCode> {
  return withTokens(call, async ({ access }) => {
    const tokens = await access.read((session) => listTokens(session, bindingOf(call.operands.user, call.options)))
    return printResult(call, tokens, tokens.length === 0 ? 'No tokens.' : table(titles, tokens.map(rowOf)))
  })
}

const titles = ['USER', 'APPLICATION', 'DEVICE', 'PERMISSION', 'SINCE', 'ID']

// The id comes last, where it is not cut off: it is what revokes the token.
function rowOf({ userName, applicationName, deviceId, permission, creationDate, id }: IssuedToken): readonly string[] {
  return [userName, applicationName, deviceId, permission, creationDate, id]
}

interface Chosen extends BoundBy {
  readonly user: string | undefined
  readonly all: boolean
}

export async function revoke(call: TokenCall<Chosen, { readonly token: string | undefined }>): Promise<ExitCode> {
  const { token } = call.operands
  const { user, all } = call.options
  const chosen = bindingOf(user, call.options)
  const isChosen = all || Object.keys(chosen).length > 0
  if (token === undefined && !isChosen) throw nothingNamed({})
  if (token !== undefined && isChosen) throw namedTwice({})
  return withTokens(call, async ({ access }) => {
    const count = await access.write(async (session) =>
      token === undefined ? revokeTokens(session, chosen) : Number(await revokeToken(session, token)),
    )
    return printResult(call, { revoked: count }, count === 1 ? '1 token was revoked.' : `${count} tokens were revoked.`)
  })
}

export function rotate(call: TokenCall<{ readonly forgetOlder: boolean }>): Promise<ExitCode> {
  const { forgetOlder: forgetsOlder } = call.options
  return withTokens(call, async ({ services, access }) => {
    await access.write((session) => rotateTokenSecret(session, services, { forgetsOlder }))
    const made = configuredSecrets(services).length > 0 ? 'the first secret of the setting' : 'a new secret'
    const older = forgetsOlder
      ? 'The older ones in the database are forgotten.'
      : 'The older ones are kept for the tokens that there are.'
    return printResult(call, { forgetsOlder }, `New tokens come from ${made}. ${older}`)
  })
}

function bindingOf(userName: string | undefined, { application: applicationName, deviceId }: BoundBy): Partial<TokenBinding> {
  return {
    ...(userName !== undefined && { userName }),
    ...(applicationName !== undefined && { applicationName }),
    ...(deviceId !== undefined && { deviceId }),
  }
}
