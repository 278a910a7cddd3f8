/** An error as the object store answers it. */
export class S3Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const noSuchKey = () => new S3Refusal(404, 'NoSuchKey', 'The specified key does not exist.')
export const noSuchBucket = () => new S3Refusal(404, 'NoSuchBucket', 'The specified bucket does not exist')
export const noSuchUpload = () => new S3Refusal(404, 'NoSuchUpload', 'The specified upload does not exist.')
