-- CreateTable
CREATE TABLE "job_run" (
    "name" TEXT NOT NULL,
    "succeeded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "job_run_pkey" PRIMARY KEY ("name")
);
