/** Rivals of the reads: the same frameworks, answering a constant. */
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { createSchema, createYoga } from 'graphql-yoga'

const user = { userId: 'user-50000', totalPoints: 100_500_000, displayName: 'User 50000' }
const app = Fastify()

app.get('/readyz', () => ({ status: 'ok' }))

app.get('/v1/users/:userId/sdk-balance', () => ({
  message: 'Balance retrieved successfully',
  code: 200,
  status: 'success',
  data: user,
}))

const yoga = createYoga<{ req: FastifyRequest; reply: FastifyReply }>({
  schema: createSchema({
    typeDefs: `
      input UserBy { externalId: String }
      type User { externalId: String! balance: Int! displayName: String }
      type Query { user(by: UserBy!): User }`,
    resolvers: {
      Query: { user: () => ({ ...user, externalId: user.userId, balance: user.totalPoints }) },
    },
  }),
  logging: false,
  landingPage: false,
})

app.route({
  method: ['GET', 'POST', 'OPTIONS'],
  url: '/graphql',
  handler: async (req, reply) => {
    const response = await yoga.handleNodeRequestAndResponse(req, reply, { req, reply })
    for (const [name, value] of response.headers) reply.header(name, value)
    return reply.code(response.status).send(response.body ?? '')
  },
})

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
