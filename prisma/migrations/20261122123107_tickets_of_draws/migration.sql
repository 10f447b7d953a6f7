-- What a partner entered into a draw, and what of it won.
CREATE INDEX "lottery_ticket_draw_id_partner_id_ticket_no_idx" ON "lottery_ticket"("draw_id", "partner_id", "ticket_no");
CREATE INDEX "lottery_win_draw_id_partner_id_tier_no_ticket_no_line_no_idx" ON "lottery_win"("draw_id", "partner_id", "tier_no", "ticket_no", "line_no");
