/** The shared components of the OpenAPI document. */

import { environmentHeader, keyHeader, userTokenHeader } from '../kit/access/credentials.ts'
import { errorTable } from '../kit/errors.ts'
import type { Json } from './answer-schema.ts'

export const components: Json = {
  securitySchemes: {
    publicKey: {
      type: 'apiKey',
      in: 'header',
      name: keyHeader.public,
      description: '`pk_test_…` or `pk_live_…`. For browsers and apps.',
    },
    secretKey: {
      type: 'apiKey',
      in: 'header',
      name: keyHeader.secret,
      description: '`sk_test_…` or `sk_live_…`. Only for servers.',
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The `accessToken` of `POST /dashboard/auth/login`.',
    },
  },
  parameters: {
    Environment: {
      name: environmentHeader,
      in: 'header',
      required: false,
      description: 'The environment of the request.',
      schema: { type: 'string', enum: ['TEST', 'LIVE'], default: 'LIVE' },
    },
    UserToken: {
      name: userTokenHeader,
      in: 'header',
      required: false,
      description:
        'A token of the user whom the call names, from `POST /v1/users/{userId}/token` or signed by you. Required if the application says so.',
      schema: { type: 'string' },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'The same key with the same request gives the first answer again, with `Idempotent-Replayed: true`, for 24 hours. An answer above 64 KB is not kept: the same request again gives 409.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  },
  schemas: {
    Error: {
      type: 'object',
      properties: {
        message: { type: 'string', description: 'Readable message.' },
        code: { type: 'integer', description: 'HTTP status.' },
        status: { type: 'string', const: 'error' },
        errorCode: {
          type: 'string',
          enum: Object.keys(errorTable),
          description: 'Stable code of the error.',
        },
        requestId: { type: 'string', description: 'Id of the request, for support.' },
        cell: {
          type: 'string',
          description:
            '`WRONG_CELL` only: the cell of the credential; `default` if it has no name.',
        },
        errors: {
          type: 'array',
          description: 'All invalid fields.',
          items: {
            type: 'object',
            properties: {
              field: { type: 'string' },
              code: { type: 'string' },
              message: { type: 'string' },
            },
            required: ['field', 'code', 'message'],
          },
        },
      },
      required: ['message', 'code', 'status'],
    },
  },
}
