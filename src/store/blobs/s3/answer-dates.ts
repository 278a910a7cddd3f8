/**
 * The SDK takes the difference between the date of an answer and its own clock, and signs what it sends next with a date that much
 * apart. Of a date that cannot be read the difference is no number, no date can be made of it, and no request leaves the process any
 * more, so that no better answer can come either. An answer without a date changes nothing.
 */
export async function withReadableDates<Answered extends { readonly response: unknown }>(
  ask: () => Promise<Answered>,
): Promise<Answered> {
  try {
    const answered = await ask()
    forgetUnreadable(answered.response)
    return answered
  } catch (error) {
    if (isRecord(error)) {
      forgetUnreadable(error['$response'])
      if (!isReadable(error['ServerTime'])) delete error['ServerTime']
    }
    throw error
  }
}

function forgetUnreadable(response: unknown): void {
  const headers = isRecord(response) ? response['headers'] : undefined
  if (!isRecord(headers)) return
  for (const name of ['date', 'Date']) if (!isReadable(headers[name])) delete headers[name]
}

function isReadable(date: unknown): boolean {
  return date === undefined || !Number.isNaN(Date.parse(String(date)))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
