/** A model of Prisma, as far as lists need it. */
export type Model<N> = {
  count(args: { where: object; take?: number }): PromiseLike<number>
  findMany(args: {
    where: object
    orderBy?: object[]
    take?: number
    skip?: number
  }): PromiseLike<N[]>
}
