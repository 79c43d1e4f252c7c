#include "app/queue/call_json.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

LedgerRow Attempt(Billed billed, int64_t price, std::string currency) {
  LedgerRow row;
  row.billed = billed;
  row.price = price;
  row.currency = std::move(currency);
  return row;
}

std::string CostOf(const std::vector<LedgerRow>& attempts) {
  JsonWriter json;
  json.BeginObject();
  WriteCost(json, attempts, "NGN");
  return json.EndObject().Take();
}

TEST(CallJsonTest, CostsAreAddedUpByTheCurrencyThatEachAttemptHas) {
  EXPECT_EQ(
      CostOf({}),
      R"({"cost":{"billed":0,"maybe_billed":0,"price":"0.00 NGN","maybe_price":"0.00 NGN"}})");
  EXPECT_EQ(CostOf({Attempt(Billed::kYes, 10000, ""), Attempt(Billed::kYes, 5000, "NGN"),
                    Attempt(Billed::kYes, 200, "USD"), Attempt(Billed::kMaybe, 300, "USD"),
                    Attempt(Billed::kNo, 700, "EUR")}),
            R"({"cost":{"billed":3,"maybe_billed":1,"price":"150.00 NGN + 2.00 USD",)"
            R"("maybe_price":"3.00 USD"}})");
}

}  // namespace
}  // namespace idkiosk
