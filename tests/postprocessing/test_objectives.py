

@pytest.mark.parametrize("returned", [None, "good", np.arange(2.0)], ids=["None", "text", "array"])
def test_a_function_that_returns_no_number_is_named(returned):
    with pytest.raises(ValueError, match=r"^objective=.* returned .*; it must return one number"):
        optimal_thresholds([0, 1, 1], [0.1, 0.2, 0.3], objective=lambda true, pred: returned)
