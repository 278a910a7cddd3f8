import { callApi } from '../support/call-api.ts'
import type { EngineName } from '../support/database-place.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { onStressPlace } from './stress-place.ts'

const atOnce = 50
/** The free ones, and those that a wait of doubling length lets through in the minutes that this takes. */
const mostLookedAt = 60

/** Guesses at the password of one user, through two processes, and counts how many guesses were looked at. */
export async function stressByGuesses(engine: EngineName, guesses: number): Promise<boolean> {
  const { looked, refused, others } = await onStressPlace(engine, async (place) => {
    const program = await startServerProgram(place, ['--workers', '2'])
    try {
      const user = { 'entity-type': 'user', id: 'target', properties: { username: 'target', password: 'the right one' } }
      await callApi(program.url, 'POST', '/user', user)
      const statuses = new Map<number, number>()
      let next = 0
      const guess = async () => {
        while (next < guesses) {
          const status = await signIn(program.url, 'target', `guess ${next++}`)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, guess))
      const looked = statuses.get(401) ?? 0
      const refused = statuses.get(429) ?? 0
      return { looked, refused, others: guesses - looked - refused }
    } finally {
      await stopProgram(program)
    }
  })
  const isSound = looked <= mostLookedAt && others === 0
  console.log(
    `${isSound ? 'ok    ' : 'FAILED'} ${engine}: ${guesses} guesses at one password, ${looked} were looked at, ${refused} refused unseen, ${others} answered otherwise`,
  )
  return isSound
}

async function signIn(url: string, name: string, password: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  const response = await fetch(new URL('api/v1/me', url), { headers: { authorization } })
  await response.arrayBuffer()
  return response.status
}
